/** A random idempotency key. Works without HTTPS too. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The same, formatted as a UUID. */
export function newUuid(): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/.exec(newKey()) ?? []
  return `${a}-${b}-4${c}-8${d}-${e}`
}
