import { escapeHtml } from '#base/escape.ts'
import type { Segment } from '#base/rich-text/to-html.ts'

/** The elements and attributes of a post in feeds. */
const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries('li hr br tbody tr strong em s'.split(' ').map((name) => [name, []])),
  ...Object.fromEntries('p h2 h3 h4 ul blockquote pre code table th td'.split(' ').map((name) => [name, ['dir']])),
  ol: ['dir', 'start'],
  a: ['href', 'dir'],
  img: ['src', 'alt', 'width', 'height'],
}

/**
 * Rendered posts for reading away from the site: addresses are absolute, and markup of our own pages is removed. The serialiser lets no
 * other markup through; unknown elements are removed once more here, because feed readers lack our content security policy.
 */
export function portableHtml(segments: readonly Segment[], origin: string): string {
  return segments
    .map(({ html }) =>
      html.replaceAll(/<(\/?)(\w+)([^<>]*)>/g, (_, slash: string, name: string, rest: string) => tagFor(slash, name, rest, origin)),
    )
    .join('')
}

function tagFor(slash: string, name: string, rest: string, origin: string): string {
  const attributes = allowedAttributes[name]
  if (attributes) return slash ? `</${name}>` : `<${name}${attributesIn(rest, attributes, origin)}>`
  const isDone = / data-checked="(true|false)"/.exec(rest)?.[1]
  return isDone ? `${isDone === 'true' ? '☑' : '☐'} ` : ''
}

function attributesIn(rest: string, names: readonly string[], origin: string): string {
  return [...rest.matchAll(/ ([\w-]+)="([^"]*)"/g)]
    .flatMap(([, name = '', value = '']) => {
      if (!names.includes(name)) return []
      const whole = name === 'href' || name === 'src' ? absoluteAddress(value, origin) : value
      return whole === null ? [] : [` ${name}="${whole}"`]
    })
    .join('')
}

// Values stay escaped as they are in the HTML.
function absoluteAddress(value: string, origin: string): string | null {
  if (/^\/(?!\/)/.test(value)) return escapeHtml(origin) + value
  return /^(https?:|mailto:)/i.test(value) ? value : null
}
