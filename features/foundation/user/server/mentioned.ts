import { escapeHtml } from '#base/escape.ts'
import type { Segment } from '#base/rich-text/to-html.ts'

// The serialiser's own form of a mention. Members' text is escaped, so nothing else can look like it.
const mention = /<a class="mention" href="\/user\/control\/home\?userId=(\d+)">@[^<]*<\/a>/g

/** The ids of the members that rendered posts mention. */
export function mentionedIn(segments: readonly Segment[]): string[] {
  return segments.flatMap(({ html }) => (mayMention(html) ? [...html.matchAll(mention)].map(([, memberId = '']) => memberId) : []))
}

/** Rendered posts with the current names of the mentioned members. */
export function withNames(segments: readonly Segment[], people: ReadonlyMap<string, { name: string }>): Segment[] {
  return segments.map((segment) => (mayMention(segment.html) ? { ...segment, html: namesIn(segment.html, people) } : segment))
}

// Most posts mention nobody.
function mayMention(html: string): boolean {
  return html.includes('<a class="mention"')
}

function namesIn(html: string, people: ReadonlyMap<string, { name: string }>): string {
  return html.replaceAll(mention, (whole, memberId: string) => {
    const person = people.get(memberId)
    return person ? `<a class="mention" href="${profilePath(memberId)}">@${escapeHtml(person.name)}</a>` : whole
  })
}

export function profilePath(memberId: string): string {
  return `/user/control/home?userId=${memberId}`
}
