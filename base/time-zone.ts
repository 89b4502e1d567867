/** The names of time zones to choose from. Browsers leave out UTC, which is one, too. */
export function timeZones(): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
}

/**
 * Whether this is the name of a time zone, such as Asia/Shanghai. Browsers differ in listing old or new names, so a list is not enough; a
 * UTC offset is no name, because of daylight saving time; nor are letters such as CST, which stand for several zones, and which PostgreSQL
 * takes for another one than the browser, and each of its versions for another one again.
 */
export function isTimeZone(name: string): boolean {
  if (/^[A-Z]{2,5}$/.test(name)) return name === 'UTC' || name === 'GMT'
  if (!/^[A-Z][A-Za-z_]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false // unknown here
  }
}
