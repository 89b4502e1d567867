let development = false
let isOneself = false

/** Told at the start: whether this is a forum to try things out. */
export function tellOfDevelopment(is: boolean): void {
  development = is
}

export function isDevelopment(): boolean {
  return development
}

type Address = { publicUrl: string | null; host: string }

/** Told at the start: where the forum is reached. */
export function tellWhoComes(address: Address): void {
  isOneself = isForOneself(address)
}

/** Whether nobody comes here but from this machine, or to try things out. */
export function isForThisMachine(): boolean {
  return development || isOneself
}

/** A forum that is reached from this machine alone is somebody's to look at. */
export function isForOneself({ publicUrl, host }: Address): boolean {
  const name = publicUrl ? new URL(publicUrl).hostname : host
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(name) || name.endsWith('.localhost')
}
