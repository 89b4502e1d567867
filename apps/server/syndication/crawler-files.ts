import { nothing } from '#base/contract.ts'
import { say, type Language } from '#base/server/words.ts'
import { serveCached, type SyndicationContext, type SyndicationOptions } from '#apps/server/syndication/serve-cached.ts'
import { threadPath } from '#kind/contract.ts'
import * as tagList from '#tag/server/list.ts'
import { newest } from '#topic/server/newest.ts'

const plainType = 'text/plain; charset=utf-8'
const newestTopics = 20

/** Pages of a member's own, and the API. */
const notForCrawlers = [
  '/api/',
  '/addTopic',
  '/login',
  '/register',
  '/user/control/draftList',
  '/user/control/waitingList',
  '/user/control/editUser',
  '/user/control/userLoginLogList',
  '/user/editTopic',
]

/** `/robots.txt` for crawlers, `/llms.txt` for language models, and the key file of IndexNow. */
export function serveCrawlerFiles(options: SyndicationOptions): void {
  const common = { takes: nothing, seconds: 3_600, timesAMinute: 60 }
  serveCached(options, '/robots.txt', { ...common, cacheTags: [], make: async ({ origin }) => ({ type: plainType, body: robots(origin) }) })
  serveCached(options, '/indexnow.txt', {
    ...common,
    cacheTags: [],
    make: async ({ settings }) => (settings.indexNowKey ? { type: plainType, body: settings.indexNowKey } : null),
  })
  serveCached(options, '/llms.txt', {
    ...common,
    isWorded: true,
    cacheTags: ['tagCounts', 'titles'],
    make: async (context) => ({ type: 'text/markdown; charset=utf-8', body: await llmsText(context) }),
  })
}

function robots(origin: string): string {
  return ['User-agent: *', ...notForCrawlers.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n')
}

async function llmsText({ db, viewer, origin, settings, language }: SyndicationContext<unknown>): Promise<string> {
  const [tree, topics] = await Promise.all([tagList.list(db, viewer), newest(db, viewer, {}, newestTopics)])
  const sections = tree.flatMap((one) => [one, ...one.children])
  return [
    `# ${oneLine(settings.title)}`,
    `> ${oneLine(settings.description)}`,
    `## ${say(language, 'site.sections')}`,
    list(sections.map(({ id, name }) => [name[language], `${origin}/index?tagId=${id}`])),
    `## ${say(language, 'site.newestTopics')}`,
    list(topics.map(({ id, kind, title, summary }) => [title, origin + threadPath(id, kind), summary])),
    `## ${say(language, 'site.forPrograms')}`,
    `${list(linksFor(origin, language, settings.allowMcp))}\n`,
  ].join('\n\n')
}

function linksFor(origin: string, language: Language, allowMcp: boolean): Link[] {
  const mcp: Link = [say(language, 'site.mcp'), `${origin}/mcp`, say(language, 'site.mcpAbout')]
  return [
    ...(allowMcp ? [mcp] : []),
    [say(language, 'site.feed'), `${origin}/feed`],
    [say(language, 'site.sitemap'), `${origin}/sitemap.xml`],
    [say(language, 'site.apiDocs'), `${origin}/api/docs`],
    [say(language, 'site.terms'), `${origin}/termsService`],
  ]
}

type Link = readonly [title: string, address: string, about?: string]

function list(links: readonly Link[]): string {
  return links
    .map(([title, address, about]) => `- [${escapeMarkdown(title)}](${address})${about ? `: ${escapeMarkdown(about)}` : ''}`)
    .join('\n')
}

// Member text is escaped, so it cannot become markup.
function escapeMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_[\]<>#!|&]/g, '\\$&')
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}
