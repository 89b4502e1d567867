export const browsers = ['Edg', 'OPR', 'MicroMessenger', 'Firefox', 'Chrome', 'Safari'] as const
export const systems = ['HarmonyOS', 'Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const
export const displayNames: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', MicroMessenger: 'WeChat', 'Mac OS': 'macOS' }

/** A name such as "Chrome, Windows" from a user agent; null if unknown. */
export function deviceName(userAgent: string): string | null {
  const found = [browsers, systems].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? [])
  return found.length > 0 ? found.map((name) => displayNames[name] ?? name).join(', ') : null
}

export const deviceKinds = ['phone', 'tablet', 'computer', 'robot'] as const
export type DeviceKind = (typeof deviceKinds)[number]

const robot = /bot\b|bot[/;]|crawl|spider|slurp|headless|lighthouse|preview|facebookexternalhit|^(curl|wget|python|java|go-http|node)/i
const tablet = /iPad|Tablet|Android(?!.*Mobile)/
const phone = /iPhone|iPod|Mobile/
const computer = /Windows|Macintosh|Mac OS|Linux|CrOS|X11/

/** The kind of device according to its user agent; null if unknown. */
export function deviceKind(userAgent: string): DeviceKind | null {
  if (robot.test(userAgent)) return 'robot'
  if (tablet.test(userAgent)) return 'tablet'
  if (phone.test(userAgent)) return 'phone'
  return computer.test(userAgent) ? 'computer' : null
}
