let development = false

/** Set at the start: whether this is a development server. */
export function tellOfDevelopment(is: boolean): void {
  development = is
}

export function isDevelopment(): boolean {
  return development
}
