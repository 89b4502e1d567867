import { escapeHtml } from '#base/escape.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '))

export const voidElements = named('br hr img wbr')
export const elements = named(
  'a abbr b blockquote br caption cite code dd del details div dl dt em figcaption figure h2 h3 h4 hr i img ins kbd li mark ol p pre q s small span strong sub summary sup table tbody td tfoot th thead tr u ul wbr',
)
/** What is in these is no text for readers, and goes with them. */
export const rawElements = named(
  'applet audio canvas embed frameset iframe math noembed noframes noscript object plaintext script select style svg template textarea title video xmp',
)

/** The styles of the house that pieces may use. */
const classes = named('button quiet note meta prose mark')
const styles = named(
  'background-color border border-bottom border-color border-radius border-top color font-size font-style font-weight line-height margin margin-bottom margin-top max-width padding text-align text-decoration width',
)

type Check = (value: string, element: string) => string | null

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
  // Pictures come from this site alone, as the policy of every page has it.
  img: { src: (value) => (value.trim().startsWith('/') ? safeUrl(value.trim()) : null), alt: plain, width: whole, height: whole },
  td: { colspan: whole, rowspan: whole },
  th: { colspan: whole, rowspan: whole, scope: oneOf('row', 'col') },
  ol: { start: whole },
  details: { open: () => '' },
}
/** What stands in an element whatever is written. */
const always: Readonly<Record<string, { name: string; value: string }>> = {
  a: { name: 'rel', value: 'noopener' },
  img: { name: 'loading', value: 'lazy' },
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** The attributes of an element that it may have, written anew. Adds the others to what is left out. */
export function attributesOf(element: string, written: string, leftOut: Set<string>): string {
  const taken = new Map<string, string>()
  const given = always[element]
  for (const [, name = '', double, single, bare] of written.matchAll(attribute)) {
    const key = name.toLowerCase()
    if (key === given?.name) continue
    const value = checkOf(element, key)?.(decoded(double ?? single ?? bare ?? ''), element) ?? null
    if (value === null) leftOut.add(`${element} ${key}`)
    else if (!taken.has(key)) taken.set(key, value)
  }
  if (given) taken.set(given.name, given.value)
  return [...taken].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')
}

function checkOf(element: string, name: string): Check | undefined {
  const own = ofElement[element]
  if (own && Object.hasOwn(own, name)) return own[name]
  return Object.hasOwn(everywhere, name) ? everywhere[name] : undefined
}

/** One style, where it only says colours, lengths and plain words. */
function styleOf(declaration: string): string {
  const [name = '', ...rest] = declaration.split(':')
  const [key, value] = [name.trim().toLowerCase(), rest.join(':').trim()]
  return styles.has(key) && /^(?:[\w\s.,%#-]|rgba?\([\d\s.,%/]+\)){1,80}$/.test(value) ? `${key}: ${value}` : ''
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

// An address is judged as the browser would read it. Signs this does not know stay as they are written, and name nothing.
function decoded(value: string): string {
  return value.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (_, decimal?: string, hex?: string, name?: string) => {
    if (name) return signs[name.toLowerCase()] ?? ''
    const point = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    return point > 0 && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff) ? String.fromCodePoint(point) : ''
  })
}
