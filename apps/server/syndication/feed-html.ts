import { escapeHtml } from '#base/escape.ts'
import type { Segment } from '#base/rich-text/to-html.ts'

/** What readers elsewhere get of a post: these elements with these attributes. */
const kept: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries('li hr br tbody tr strong em s'.split(' ').map((name) => [name, []])),
  ...Object.fromEntries('p h2 h3 h4 ul blockquote pre code table th td'.split(' ').map((name) => [name, ['dir']])),
  ol: ['dir', 'start'],
  a: ['href', 'dir'],
  img: ['src', 'alt', 'width', 'height'],
}

/**
 * Rendered posts as they read away from the site: addresses are whole, and nothing is left that only our pages understand. The serialiser
 * lets no markup through; what it does not write is left out here once more, since readers elsewhere have no policy of ours.
 */
export function htmlElsewhere(segments: readonly Segment[], origin: string): string {
  return segments
    .map(({ html }) =>
      html.replaceAll(/<(\/?)(\w+)([^<>]*)>/g, (_, slash: string, name: string, rest: string) => tagFor(slash, name, rest, origin)),
    )
    .join('')
}

function tagFor(slash: string, name: string, rest: string, origin: string): string {
  const attributes = kept[name]
  if (attributes) return slash ? `</${name}>` : `<${name}${attributesIn(rest, attributes, origin)}>`
  const isDone = / data-checked="(true|false)"/.exec(rest)?.[1]
  return isDone ? `${isDone === 'true' ? '☑' : '☐'} ` : ''
}

function attributesIn(rest: string, wanted: readonly string[], origin: string): string {
  return [...rest.matchAll(/ ([\w-]+)="([^"]*)"/g)]
    .flatMap(([, name = '', value = '']) => {
      if (!wanted.includes(name)) return []
      const whole = name === 'href' || name === 'src' ? wholeAddress(value, origin) : value
      return whole === null ? [] : [` ${name}="${whole}"`]
    })
    .join('')
}

// Values stand in the HTML as they are in quotes, and stay so.
function wholeAddress(value: string, origin: string): string | null {
  if (/^\/(?!\/)/.test(value)) return escapeHtml(origin) + value
  return /^(https?:|mailto:)/i.test(value) ? value : null
}
