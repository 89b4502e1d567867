import { safeUrl } from '#base/rich-text/safe-url.ts'

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '))

export const elements = named(
  'a abbr b blockquote br caption cite code dd del details div dl dt em figcaption figure h2 h3 h4 hr i img ins kbd li mark ol p pre q s small span strong sub summary sup table tbody td tfoot th thead tr u ul wbr',
)
/** Elements whose content is no text for readers; it is removed with them. */
export const hiddenElements = named(
  'applet audio canvas embed frameset iframe math noembed noframes noscript object plaintext script select style svg template textarea title video xmp',
)

/** Classes of the site that slots may use. */
const classes = named('button quiet note meta prose mark')
const styles = named(
  'background-color border border-bottom border-color border-radius border-top color font-size font-style font-weight line-height margin margin-bottom margin-top max-width padding text-align text-decoration width',
)

type Check = (value: string) => string | null

const plain: Check = (value) => value
const whole: Check = (value) => (/^\d{1,4}$/.test(value) ? value : null)
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value.toLowerCase()) ? value.toLowerCase() : null

const everywhere: Readonly<Record<string, Check>> = {
  title: plain,
  lang: (value) => (/^[a-zA-Z-]{2,20}$/.test(value) ? value : null),
  dir: oneOf('ltr', 'rtl', 'auto'),
  class: (value) =>
    value
      .split(/\s+/)
      .filter((one) => classes.has(one))
      .join(' ') || null,
  style: (value) => value.split(';').map(styleOf).filter(Boolean).join('; ') || null,
}

const ofElement: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  a: { href: (value) => safeUrl(value.trim()), target: oneOf('_blank') },
  // Pictures from this site only, in line with the content security policy of every page.
  img: { src: (value) => (value.trim().startsWith('/') ? safeUrl(value.trim()) : null), alt: plain, width: whole, height: whole },
  td: { colspan: whole, rowspan: whole },
  th: { colspan: whole, rowspan: whole, scope: oneOf('row', 'col') },
  ol: { start: whole },
  details: { open: () => '' },
}
/** Attributes that an element always gets. */
const always: Readonly<Record<string, Readonly<Record<string, string>>>> = { a: { rel: 'noopener' }, img: { loading: 'lazy' } }

/** The allowed attributes of each allowed element; their values are checked, too. */
export const attributes = {
  '*': Object.keys(everywhere),
  ...Object.fromEntries(Object.entries(ofElement).map(([element, its]) => [element, Object.keys({ ...its, ...always[element] })])),
}

/** The allowed attributes of an element with allowed values. Adds the others to `leftOut`. */
export function judged(element: string, written: Readonly<Record<string, string>>, leftOut: Set<string>): Record<string, string> {
  if (!elements.has(element)) return {}
  const given = always[element] ?? {}
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(written)) {
    if (Object.hasOwn(given, name)) continue
    const taken = checkOf(element, name)?.(value) ?? null
    if (taken === null || isPartOf(name, value, taken)) leftOut.add(`${element} ${name}`)
    if (taken !== null) kept[name] = taken
  }
  return { ...kept, ...given }
}

/** Whether only a part of an attribute's list was kept. */
function isPartOf(name: string, written: string, taken: string): boolean {
  if (name !== 'style' && name !== 'class') return false
  const count = (text: string) => text.split(name === 'style' ? ';' : /\s+/).filter((one) => one.trim()).length
  return count(taken) < count(written)
}

function checkOf(element: string, name: string): Check | undefined {
  const own = ofElement[element]
  if (own && Object.hasOwn(own, name)) return own[name]
  return Object.hasOwn(everywhere, name) ? everywhere[name] : undefined
}

/** A style declaration, where it only sets colours, keywords, and lengths within the slot. */
function styleOf(declaration: string): string {
  const [name = '', ...rest] = declaration.split(':')
  const [key, value] = [name.trim().toLowerCase(), rest.join(':').trim()]
  const isPlain = /^(?:[\w\s.,%#-]|rgba?\([\d\s.,%/]+\)){1,80}$/.test(value)
  return styles.has(key) && isPlain && !reachesOut(key, value) ? `${key}: ${value}` : ''
}

const longest: Readonly<Record<string, number>> = { '': 1000, px: 1200, em: 60, rem: 60, '%': 100 }

// The largest line height, in multiples of the font size.
const highestLine = 10

function reachesOut(key: string, value: string): boolean {
  if (key === 'line-height' && Number(value) > highestLine) return true
  const lengths = [...value.replace(/rgba?\([^)]*\)|#\w+/g, '').matchAll(/(-?)(\d*\.?\d+)(px|rem|em|%|[a-z]*)/gi)]
  return lengths.some(([, minus, amount, unit = '']) => minus === '-' || Number(amount) > (longest[unit.toLowerCase()] ?? 0))
}
