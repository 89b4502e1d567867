type Colour = readonly [red: number, green: number, blue: number]

/** The backgrounds of the style sheet that appear behind the main colour, beside its own wash. */
const backgrounds = { light: ['#fbfaf7', '#ffffff'], dark: ['#15171a', '#1c1f23'] } as const
/** The strongest washes on which all other text colours stay readable. */
const washes = { light: '#edf4ef', dark: '#1f2b25' } as const
export const defaultColour = '#2f6f4f'
const minContrast = 4.5

/** Whether this is a valid main colour: #rrggbb, or empty. */
export function isMainColour(text: string): boolean {
  return /^(#[0-9a-f]{6})?$/i.test(text)
}

type Theme = keyof typeof backgrounds

/** The colours a page sets in place of the default green: the chosen one, darkened or lightened until it is readable. */
export function mainColours(chosen: string): Record<'tea' | 'onTea' | 'wash', Record<Theme, string>> | null {
  if (chosen === '') return null
  const [light, dark] = [coloursFor(chosen, 'light'), coloursFor(chosen, 'dark')]
  return {
    tea: { light: light.tea, dark: dark.tea },
    onTea: { light: backgrounds.light[1], dark: backgrounds.dark[0] },
    wash: { light: light.wash, dark: dark.wash },
  }
}

/** The opening `html` tag in the site's colour, set as properties for the style sheet, because no page has a style of its own. */
export function htmlTag(language: 'zh' | 'en', chosen: string, attributes = ''): string {
  const style = mainColourStyle(chosen)
  return `<html lang="${language === 'zh' ? 'zh-CN' : 'en'}"${attributes}${style && ` style="${style}"`}>`
}

function mainColourStyle(chosen: string): string {
  const colours = mainColours(chosen)
  if (!colours) return ''
  const names = { tea: '--tea', onTea: '--on-tea', wash: '--tea-wash' } as const
  return (['tea', 'onTea', 'wash'] as const)
    .map((name) => `${names[name]}:light-dark(${colours[name].light},${colours[name].dark})`)
    .join(';')
}

function coloursFor(chosen: string, theme: Theme): { tea: string; wash: string } {
  const [towards, background] = theme === 'light' ? ['#000000', '#ffffff'] : ['#ffffff', backgrounds.dark[0]]
  for (let part = 0; part < 1; part += 0.02) {
    const tea = mix(chosen, towards, part)
    const wash = washOf(tea, background, theme)
    if ([...backgrounds[theme], wash].every((one) => contrast(tea, one) >= minContrast)) return { tea, wash }
  }
  return { tea: towards, wash: washes[theme] }
}

function washOf(tea: string, background: string, theme: Theme): string {
  for (let part = 0.14; part > 0; part -= 0.01) {
    const wash = mix(background, tea, part)
    const further = luminance(wash) - luminance(washes[theme])
    if (theme === 'light' ? further >= 0 : further <= 0) return wash
  }
  return background
}

/** The contrast ratio as WCAG defines it. */
export function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Colour
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(one: string, other: string, part: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  return `#${from
    .map((value, at) =>
      Math.round(value + ((to[at] ?? 0) - value) * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function channelsOf(colour: string): Colour {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as unknown as Colour
}
