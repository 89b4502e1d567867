import type { Output } from '#base/contract.ts'
import { truncate } from '#base/characters.ts'
import { picturesIn, textOf } from '#base/rich-text/text-of-html.ts'
import type { Language } from '#base/web/screen.ts'
import type { IndexData } from '#apps/web/screens/index.data.ts'
import type { QuestionData } from '#apps/web/screens/question.data.ts'
import type { ThreadData } from '#apps/web/screens/thread.data.ts'
import type { CommentView, ReplyView } from '#comment/contract.ts'
import { threadPath } from '#kind/contract.ts'
import type { PlaceView } from '#tag/contract.ts'
import type { AuthorView, home } from '#user/contract.ts'

export type StructuredData = { '@type': string; [name: string]: unknown }

/** The site of a page. */
export type SiteContext = { origin: string; title: string; description: string; language: Language }

const pages: Record<string, (data: never, site: SiteContext) => StructuredData[]> = {
  '/index': ofIndex,
  '/thread': ofThread,
  '/question': ofQuestion,
  '/user/control/home': ofProfile,
}

/** A page's structured data for search engines (schema.org), from the data it loads and shows. */
export function structuredData(path: string, data: unknown, site: SiteContext): StructuredData[] {
  return pages[path]?.(data as never, site).map((one) => ({ '@context': 'https://schema.org', ...one })) ?? []
}

function ofIndex({ list }: IndexData, site: SiteContext): StructuredData[] {
  if (list.place) return [breadcrumbs(site, list.place)]
  const { origin, title, description } = site
  return [{ '@type': 'WebSite', name: title, description, url: `${origin}/index`, inLanguage: ['zh-CN', 'en'] }]
}

// On every page of a thread: the opening post is that of page one, the comments are this page's.
function ofThread({ topic, list }: ThreadData, site: SiteContext): StructuredData[] {
  const { origin } = site
  const url = `${origin}/thread?topicId=${topic.id}`
  const posting = {
    '@type': 'DiscussionForumPosting',
    '@id': url,
    url,
    headline: topic.title,
    ...wordsAndPictures(topic.segments, origin, maxPostLength),
    ...authorAndDates(topic, origin),
    ...sourceOf(topic),
    articleSection: topic.place.name[site.language],
    commentCount: topic.commentCount,
    interactionStatistic: [counter('CommentAction', topic.commentCount), counter('ViewAction', topic.viewCount)],
    comment: list.comments.flatMap((comment) => commentsOf(comment, { url, origin })),
  }
  return [posting, breadcrumbs(site, topic.place, { last: { name: topic.title, item: url } })]
}

// The accepted answer is the best one, the others of this page are suggested ones.
function ofQuestion({ topic, list, question }: QuestionData, site: SiteContext): StructuredData[] {
  const { origin } = site
  const url = origin + threadPath(topic.id, 'question')
  const answerOf = (comment: CommentView) => {
    if (comment.isDeleted || !comment.author) return []
    const its = responseData({ ...comment, author: comment.author }, `${url}&commentId=${comment.id}`, origin)
    return [{ ...its, '@type': 'Answer', upvoteCount: 0 }]
  }
  const best = list.best ?? list.comments.find(({ id }) => id === question.bestId)
  const [accepted] = best ? answerOf(best) : []
  const mainEntity = {
    '@type': 'Question',
    url,
    name: topic.title,
    ...wordsAndPictures(topic.segments, origin, maxPostLength),
    ...authorAndDates(topic, origin),
    ...sourceOf(topic),
    answerCount: topic.floors,
    ...(accepted && { acceptedAnswer: accepted }),
    suggestedAnswer: list.comments.filter(({ id }) => id !== question.bestId).flatMap(answerOf),
  }
  const last = { name: topic.title, item: url }
  return [{ '@type': 'QAPage', '@id': url, url, mainEntity }, breadcrumbs(site, topic.place, { list: '/askList', last })]
}

const maxPostLength = 5_000
const maxCommentLength = 600

type ThreadUrl = { url: string; origin: string }

// A removed comment has no text, but its replies do.
function commentsOf(comment: CommentView, under: ThreadUrl): StructuredData[] {
  const replies = comment.replies.map((reply) => responseData(reply, `${under.url}&replyId=${reply.id}`, under.origin))
  if (comment.isDeleted || !comment.author) return replies
  const own = responseData({ ...comment, author: comment.author }, `${under.url}&commentId=${comment.id}`, under.origin)
  return [{ ...own, ...(replies.length > 0 && { comment: replies }) }]
}

type ResponseData = Pick<ReplyView, 'segments' | 'author' | 'publishedAt' | 'editedAt' | 'aiLabel'>

function responseData(its: ResponseData, url: string, origin: string): StructuredData {
  return {
    '@type': 'Comment',
    url,
    ...wordsAndPictures(its.segments, origin, maxCommentLength),
    ...authorAndDates(its, origin),
    ...sourceOf(its),
  }
}

function wordsAndPictures(segments: ResponseData['segments'], origin: string, most: number) {
  const [text, pictures] = [textOf(segments), picturesIn(segments)]
  return {
    ...(text && { text: truncate(text, most) }),
    ...(pictures.length > 0 && { image: pictures.map((src) => origin + src) }),
  }
}

// Marks posts that a model wrote or helped to write; otherwise search engines attribute them to a human.
function sourceOf({ aiLabel }: Pick<ResponseData, 'aiLabel'>) {
  return aiLabel ? { digitalSourceType: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource' } : {}
}

function authorAndDates({ author, publishedAt, editedAt }: Pick<ResponseData, 'author' | 'publishedAt' | 'editedAt'>, origin: string) {
  return { author: person(author, origin), datePublished: publishedAt, ...(editedAt && { dateModified: editedAt }) }
}

function person({ id, name, avatar }: AuthorView, origin: string): StructuredData {
  return { '@type': 'Person', name, url: `${origin}/user/control/home?userId=${id}`, ...(avatar && { image: origin + avatar }) }
}

type Trail = { list?: '/index' | '/askList'; last?: { name: string; item: string } }

function breadcrumbs({ origin, title, language }: SiteContext, place: PlaceView, { list = '/index', last }: Trail = {}): StructuredData {
  const places = place.parent ? [place.parent, place] : [place]
  const steps = [
    { name: title, item: `${origin}/index` },
    ...places.map(({ id, name }) => ({ name: name[language], item: `${origin}${list}?tagId=${id}` })),
    ...(last ? [last] : []),
  ]
  return { '@type': 'BreadcrumbList', itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })) }
}

// Members who hide their activity have no profile in search engines.
function ofProfile({ user, joinedAt, counts }: Output<typeof home>, { origin }: SiteContext): StructuredData[] {
  if (!counts || user.isDeactivated) return []
  const written = counter('WriteAction', counts.topics + counts.comments + counts.replies)
  const mainEntity = { ...person(user, origin), identifier: user.id, agentInteractionStatistic: written }
  return [{ '@type': 'ProfilePage', dateCreated: joinedAt, mainEntity }]
}

function counter(action: string, count: number): StructuredData {
  return { '@type': 'InteractionCounter', interactionType: `https://schema.org/${action}`, userInteractionCount: count }
}
