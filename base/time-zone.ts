/** The names of time zones to choose from. Browsers leave out UTC, which is one, too. */
export function timeZones(): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
}

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
