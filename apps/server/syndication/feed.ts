import { z } from 'zod'
import { id } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { say as sayIn, type Language } from '#base/server/words.ts'
import { atomOf, atomType, type Entry } from '#apps/server/syndication/atom.ts'
import { portableHtml } from '#apps/server/syndication/feed-html.ts'
import { serveCached, type SyndicationContext, type SyndicationOptions } from '#apps/server/syndication/serve-cached.ts'
import { tagUri } from '#apps/server/syndication/tag-uri.ts'
import { threadPath } from '#kind/contract.ts'
import { unresolved } from '#question/server/list.ts'
import * as tag from '#tag/server/tag.ts'
import { newest, fullTopics, type TopicSource, type FullTopic } from '#topic/server/newest.ts'
import * as user from '#user/server/user.ts'

const newestTopics = 30
// Beyond this size posts are summarised, so that a feed cannot grow without end.
const maxFullText = 400_000

const takes = z.object({ tagId: id.optional(), userId: id.optional(), state: z.literal('unresolved').optional() })
type FeedContext = SyndicationContext<z.output<typeof takes>>

/**
 * The newest topics and questions as Atom: all, those of a tag (`?tagId=`), those of a member (`?userId=`); or unresolved questions
 * (`?state=unresolved`), anywhere or within a tag.
 */
export function serveFeeds(options: SyndicationOptions): void {
  serveCached(options, '/feed', {
    takes,
    cacheTags: ['tagCounts', 'titles'],
    seconds: 60,
    isWorded: true,
    timesAMinute: 60,
    make: async (context) => ({ type: atomType, body: await feedFor(context) }),
  })
}

async function feedFor(context: FeedContext): Promise<string> {
  const { origin, settings, language } = context
  const { name, query, page, topics } = await (context.input.state ? unsolvedSubject : subjectOf)(context, language)
  return atomOf({
    id: tagUri(origin, `feed${query}`),
    title: name ? `${isolate(name)} - ${isolate(settings.title)}` : settings.title,
    subtitle: settings.description,
    language,
    self: `${origin}/feed${query}`,
    page: origin + page,
    icon: `${origin}/touch-icon.png`,
    entries: entriesOf(topics, { origin, language }),
  })
}

type Subject = { name: string; query: string; page: string; topics: FullTopic[] }

async function subjectOf({ db, viewer, input }: FeedContext, language: Language): Promise<Subject> {
  const { tagId, userId } = input
  const among = (of: TopicSource) => newest(db, viewer, of, newestTopics)
  if (userId) {
    const author = await user.activityOwner(db, viewer, userId)
    const query = `?userId=${userId}`
    return { name: author.name, query, page: `/user/control/home${query}`, topics: await among({ authorId: userId }) }
  }
  if (!tagId) return { name: '', query: '', page: '/index', topics: await among({}) }
  const { place, tagIds } = await tag.openTag(db, viewer, tagId)
  const query = `?tagId=${tagId}`
  return { name: place.name[language], query, page: `/index${query}`, topics: await among({ tagIds }) }
}

async function unsolvedSubject({ db, viewer, input: { tagId } }: FeedContext, language: Language): Promise<Subject> {
  // Accepting an answer removes its question, and another answer moves it.
  addCacheTags([tag.listTag(undefined), tag.activityTag(undefined)])
  const opened = tagId ? await tag.openTag(db, viewer, tagId) : null
  const query = `?${opened ? `tagId=${tagId}&` : ''}state=unresolved`
  const topics = await fullTopics(db, await unresolved(db, viewer, opened?.tagIds ?? null, newestTopics))
  const name = sayIn(language, 'question.unresolvedIn', { name: opened?.place.name[language] ?? '', where: opened ? 'tag' : 'anywhere' })
  return { name, query, page: `/askList${query}`, topics }
}

function entriesOf(topics: readonly FullTopic[], { origin, language }: { origin: string; language: Language }): Entry[] {
  let room = maxFullText
  return topics.map((topic) => {
    const html = portableHtml(topic.segments, origin)
    room -= html.length
    return { ...entryOf(topic, origin, language), says: room >= 0 ? { html } : { summary: topic.summary } }
  })
}

function entryOf(topic: FullTopic, origin: string, language: Language): Omit<Entry, 'says'> {
  const { id: topicId, kind, title, summary, author, place, publishedAt, changedAt, aiLabel } = topic
  const places = place.parent ? [place.parent, place] : [place]
  return {
    id: tagUri(origin, `topic/${topicId}`, publishedAt),
    title,
    page: origin + threadPath(topicId, kind),
    author: { name: author.name, page: `${origin}/user/control/home?userId=${author.id}` },
    categories: places.map(({ key, name }) => ({ key, label: name[language] })),
    published: publishedAt,
    updated: changedAt,
    isAi: aiLabel !== null,
    language: languageIn(title + summary),
  }
}

// A post has no language; in a forum with two, the script tells.
function languageIn(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}
