let development = false

/** Set at the start: whether this is a development server. */
export function setDevelopment(is: boolean): void {
  development = is
}

export function isDevelopment(): boolean {
  return development
}
