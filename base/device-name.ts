export const browsers = ['Edg', 'OPR', 'MicroMessenger', 'Firefox', 'Chrome', 'Safari'] as const
export const systems = ['HarmonyOS', 'Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const
export const shownAs: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', MicroMessenger: 'WeChat', 'Mac OS': 'macOS' }

/** "Chrome, Windows" out of what a browser says of itself. */
export function deviceName(userAgent: string): string | null {
  const found = [browsers, systems].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? [])
  return found.length > 0 ? found.map((name) => shownAs[name] ?? name).join(', ') : null
}
