let development = false

/** Told at the start: whether this is a forum to try things out. */
export function tellOfDevelopment(is: boolean): void {
  development = is
}

export function isDevelopment(): boolean {
  return development
}
