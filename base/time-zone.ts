/**
 * Whether this is the name of a time zone, such as Asia/Shanghai. Browsers list some by their old names and others by their new ones, so that
 * a list says too little; a distance from UTC is no name, for clocks are put forward and back.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][A-Za-z_]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false // unknown here
  }
}
