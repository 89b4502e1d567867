import { element, xmlDeclaration, xmlText } from '#base/xml.ts'
import type { Language } from '#base/server/words.ts'

export type Feed = {
  /** Never changes, even if the feed moves. */
  id: string
  title: string
  subtitle: string
  language: Language
  /** The feed's own address, and the page with the same content. */
  self: string
  page: string
  icon: string
  entries: readonly Entry[]
}

export type Entry = {
  id: string
  title: string
  page: string
  author: { name: string; page: string }
  categories: readonly { key: string; label: string }[]
  published: Date
  updated: Date
  /** Labelled as AI-generated content. */
  isAi: boolean
  language: Language
  /** The whole post, or its beginning. */
  says: { html: string } | { summary: string }
}

export const atomType = 'application/atom+xml; charset=utf-8'

/** The feed as an Atom document, byte for byte the same for the same posts, so that clients can cache it. */
export function atomOf(feed: Feed): string {
  const updated = new Date(Math.max(0, ...feed.entries.map((entry) => entry.updated.getTime())))
  const root = element(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': codes[feed.language] },
    text('id', feed.id),
    text('title', feed.title),
    text('subtitle', feed.subtitle),
    text('updated', updated.toISOString()),
    element('link', { rel: 'self', type: 'application/atom+xml', href: feed.self }),
    element('link', { rel: 'alternate', type: 'text/html', href: feed.page }),
    text('icon', feed.icon),
    ...feed.entries.map(entryOf),
  )
  return `${xmlDeclaration}${root}\n`
}

// IPTC's code for content with a part made by a trained model.
const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const aiContent = 'compositeWithTrainedAlgorithmicMedia'

const codes = { zh: 'zh-CN', en: 'en' } as const

function entryOf(entry: Entry): string {
  const { author, says } = entry
  const lines = [
    text('id', entry.id),
    text('title', entry.title),
    element('link', { rel: 'alternate', type: 'text/html', href: entry.page }),
    text('published', entry.published.toISOString()),
    text('updated', entry.updated.toISOString()),
    element('author', {}, text('name', author.name), text('uri', author.page)),
    ...entry.categories.map(({ key, label }) => element('category', { term: key, label })),
    ...(entry.isAi ? [element('category', { term: aiContent, scheme: sourceTypes, label: 'AI-generated content' })] : []),
    'html' in says ? element('content', { type: 'html' }, xmlText(says.html)) : text('summary', says.summary),
  ]
  return `\n${element('entry', { 'xml:lang': codes[entry.language] }, ...lines)}`
}

function text(name: string, its: string): string {
  return element(name, {}, xmlText(its))
}
