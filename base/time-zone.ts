/**
 * Whether this is the name of a time zone, such as Asia/Shanghai. Browsers differ in listing old or new names, so a list is not enough; a
 * UTC offset is no name, because of daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][A-Za-z_]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false // unknown here
  }
}
