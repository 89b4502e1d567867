import { safeUrl } from '#base/rich-text/safe-url.ts'

const nameSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

export const elements = nameSet(
  'a abbr b blockquote br caption cite code dd del details div dl dt em figcaption figure h2 h3 h4 hr i img ins kbd li mark ol p pre q s small span strong sub summary sup table tbody td tfoot th thead tr u ul wbr',
)
/** Elements whose content is no text for readers; it is removed with them. */
export const hiddenElements = nameSet(
  'applet audio canvas embed frameset iframe math noembed noframes noscript object plaintext script select style svg template textarea title video xmp',
)

/** Classes of the site that slots may use. */
const classes = nameSet('button quiet note meta prose mark')
const styles = nameSet(
  'background-color border border-bottom border-color border-radius border-top color font-size font-style font-weight line-height margin margin-bottom margin-top max-width padding text-align text-decoration width',
)

type Check = (value: string) => string | null

const plain: Check = (value) => value
const whole: Check = (value) => (/^\d{1,4}$/.test(value) ? value : null)
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value.toLowerCase()) ? value.toLowerCase() : null

const globalAttributes: Readonly<Record<string, Check>> = {
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

const elementAttributes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  a: { href: (value) => safeUrl(value.trim()), target: oneOf('_blank') },
  // Pictures from this site only, in line with the content security policy of every page.
  img: { src: (value) => (value.trim().startsWith('/') ? safeUrl(value.trim()) : null), alt: plain, width: whole, height: whole },
  td: { colspan: whole, rowspan: whole },
  th: { colspan: whole, rowspan: whole, scope: oneOf('row', 'col') },
  ol: { start: whole },
  details: { open: () => '' },
}
/** Attributes that an element always gets. */
const forcedAttributes: Readonly<Record<string, Readonly<Record<string, string>>>> = { a: { rel: 'noopener' }, img: { loading: 'lazy' } }

/** The allowed attributes of each allowed element; their values are checked, too. */
export const attributes = {
  '*': Object.keys(globalAttributes),
  ...Object.fromEntries(
    Object.entries(elementAttributes).map(([element, its]) => [element, Object.keys({ ...its, ...forcedAttributes[element] })]),
  ),
}

/** The allowed attributes of an element with allowed values. Adds the others to `leftOut`. */
export function allowedAttributes(
  element: string,
  written: Readonly<Record<string, string>>,
  leftOut: Set<string>,
): Record<string, string> {
  if (!elements.has(element)) return {}
  const forced = forcedAttributes[element] ?? {}
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(written)) {
    if (Object.hasOwn(forced, name)) continue
    const allowed = checkOf(element, name)?.(value) ?? null
    if (allowed === null || isPartOf(name, value, allowed)) leftOut.add(`${element} ${name}`)
    if (allowed !== null) result[name] = allowed
  }
  return { ...result, ...forced }
}

/** Whether only a part of an attribute's list was kept. */
function isPartOf(name: string, written: string, allowed: string): boolean {
  if (name !== 'style' && name !== 'class') return false
  const count = (text: string) => text.split(name === 'style' ? ';' : /\s+/).filter((one) => one.trim()).length
  return count(allowed) < count(written)
}

function checkOf(element: string, name: string): Check | undefined {
  const own = elementAttributes[element]
  if (own && Object.hasOwn(own, name)) return own[name]
  return Object.hasOwn(globalAttributes, name) ? globalAttributes[name] : undefined
}

/** A style declaration, where it only sets colours, keywords, and lengths within the slot. */
function styleOf(declaration: string): string {
  const [name = '', ...rest] = declaration.split(':')
  const [key, value] = [name.trim().toLowerCase(), rest.join(':').trim()]
  const isPlain = /^(?:[\w\s.,%#-]|rgba?\([\d\s.,%/]+\)){1,80}$/.test(value)
  return styles.has(key) && isPlain && !isTooLarge(key, value) ? `${key}: ${value}` : ''
}

const maxLengths: Readonly<Record<string, number>> = { '': 1000, px: 1200, em: 60, rem: 60, '%': 100 }

// The largest line height, in multiples of the font size.
const maxLineHeight = 10

function isTooLarge(key: string, value: string): boolean {
  if (key === 'line-height' && Number(value) > maxLineHeight) return true
  const lengths = [...value.replace(/rgba?\([^)]*\)|#\w+/g, '').matchAll(/(-?)(\d*\.?\d+)(px|rem|em|%|[a-z]*)/gi)]
  return lengths.some(([, minus, amount, unit = '']) => minus === '-' || Number(amount) > (maxLengths[unit.toLowerCase()] ?? 0))
}
