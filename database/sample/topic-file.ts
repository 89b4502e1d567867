export type SampleTopic = {
  slug: string
  title: string
  language: 'zh' | 'en'
  tag: string
  author: string
  daysAgo: number
  views: number
  pinned: boolean
  featured: boolean
  /** A question, whose comments are answers; only a question has further tags, a best answer and postscripts. */
  asks: boolean
  also: string[]
  /** The bounty for an answer, as typed. */
  bounty: SampleBounty | null
  body: string
  comments: SampleComment[]
  postscripts: SamplePostscript[]
}

export type SampleBounty = { points: string; yuan?: string }

/** The floor is the place in the list, from 1. The best one is the accepted answer. */
export type SampleComment = SamplePostscript & { quotesFloor?: number; isBest: boolean; replies: SampleReply[] }

/** A postscript by the asker of a question; it has no floor. */
export type SamplePostscript = { author: string; minutesAfterTopic: number; body: string }

/** `answers` names the author of an earlier reply under the same comment. */
export type SampleReply = { author: string; minutesAfterComment: number; answers?: string; body: string }

/** Everything that a topic may refer to: accounts with the days since they joined, leaf tags, pictures. */
export type KnownNames = { accounts: Map<string, number>; tags: Set<string>; pictures: Set<string> }

type Line = { number: number; text: string }
type FilePosition = { file: string; known: KnownNames; daysAgo: number }
/** The topic of a comment, and the comments before it. */
type Thread = FilePosition & { asker: string | null; posts: Pick<SampleTopic, 'comments' | 'postscripts'> }

const minutesIn = { m: 1, h: 60, d: 1440 }
const fields = ['title', 'tag', 'author', 'daysAgo', 'views', 'pinned', 'featured', 'asks', 'also', 'bounty']

export function readTopic(file: string, text: string, names: KnownNames): SampleTopic {
  const slug = /^topics\/(\d\d-[a-z0-9-]+)\.md$/.exec(file)?.[1]
  if (!slug) throw new Error(`${file}: a topic's file is called NN-some-words.md`)
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line }))
  const headEnd = lines.findIndex((line, index) => index > 0 && line.text === '---')
  if (lines[0]?.text !== '---' || headEnd < 0) throw new Error(`${file}:1: begin with fields between two lines of ---`)
  const turn = lines.findIndex((line) => line.text === '=== comments')
  if (turn < 0) throw new Error(`${file}:${lines.length}: the line "=== comments" is missing`)

  const head = readHead(file, lines.slice(1, headEnd), names)
  const position = { file, known: names, daysAgo: head.daysAgo }
  const body = readBody(position, lines.slice(headEnd + 1, turn), lines[headEnd])
  const asker = head.asks ? head.author : null
  return { slug, ...head, language: languageOf(head.title + body), body, ...readRemarks({ ...position, asker }, lines.slice(turn + 1)) }
}

/** Chinese if a fifth of the letters are Han: code and names in Latin letters are common in Chinese posts. */
export function languageOf(text: string): 'zh' | 'en' {
  const prose = text.replaceAll(/```[\s\S]*?```|\]\([^)]*\)/g, '')
  const han = prose.match(/\p{Script=Han}/gu)?.length ?? 0
  const letters = prose.match(/\p{L}/gu)?.length ?? 0
  return han > letters / 5 ? 'zh' : 'en'
}

function readHead(file: string, lines: Line[], names: KnownNames) {
  const values = new Map<string, Line>()
  for (const line of lines) {
    const [, field = '', value = ''] = /^(\w+): (.+)$/.exec(line.text) ?? []
    if (!fields.includes(field)) fail(file, line, `expected one of ${fields.join(', ')}`)
    if (values.has(field)) fail(file, line, `${field} is given twice`)
    values.set(field, { number: line.number, text: value.trim() })
  }
  const get = (field: string) => values.get(field) ?? fail(file, lines[0], `${field} is missing`)
  const number = (field: string) => {
    const line = get(field)
    return /^\d+(\.\d+)?$/.test(line.text) ? Number(line.text) : fail(file, line, `${field} is a number`)
  }
  const flag = (field: string) => {
    const line = values.get(field)
    return line?.text === 'true' || (line ? fail(file, line, `${field} is true or left out`) : false)
  }
  const daysAgo = number('daysAgo')
  const position = { file, known: names, daysAgo }
  const tags = [get('tag'), ...splitList(values.get('also'))]
  for (const [index, line] of tags.entries()) {
    if (!names.tags.has(line.text)) fail(file, line, `there is no leaf tag ${line.text}`)
    if (tags.slice(0, index).some(({ text }) => text === line.text)) fail(file, line, `the tag ${line.text} is given twice`)
  }
  const asks = flag('asks')
  if (!asks && tags.length > 1) fail(file, values.get('also'), 'only a question has further tags')
  const bounty = bountyIn(file, values.get('bounty'))
  if (!asks && bounty) fail(file, values.get('bounty'), 'only a question has a bounty')
  return {
    title: get('title').text,
    tag: get('tag').text,
    also: tags.slice(1).map(({ text }) => text),
    asks,
    bounty,
    author: accountIn(position, get('author'), get('author').text, daysAgo),
    daysAgo,
    views: number('views'),
    pinned: flag('pinned'),
    featured: flag('featured'),
  }
}

function bountyIn(file: string, line: Line | undefined): SampleBounty | null {
  if (!line) return null
  const [, points, yuan] = /^(\d+) points(?:, (\d+\.\d\d) yuan)?$/.exec(line.text) ?? []
  if (!points) fail(file, line, 'a bounty is 20 points, or 20 points, 5.00 yuan')
  return { points, ...(yuan && { yuan }) }
}

function splitList(line: Line | undefined): Line[] {
  return line ? line.text.split(', ').map((text) => ({ number: line.number, text })) : []
}

function readRemarks(position: FilePosition & { asker: string | null }, lines: Line[]): Thread['posts'] {
  const starts = lines.flatMap((line, index) => (line.text.startsWith('--- ') ? [index] : []))
  const loose = lines.slice(0, starts[0] ?? lines.length).find((line) => line.text.trim() !== '')
  if (loose) fail(position.file, loose, 'a comment begins with "--- account @ 3h"')

  const posts: Thread['posts'] = { comments: [], postscripts: [] }
  let latest = 0
  for (const [index, start] of starts.entries()) {
    const minutes = readRemark({ ...position, posts }, lines.slice(start, starts[index + 1]))
    if (minutes < latest) fail(position.file, lines[start], 'comments go by time')
    latest = minutes
  }
  return posts
}

/** Reads a comment or a postscript, and returns its time. */
function readRemark(position: Thread, lines: Line[]): number {
  const [first, ...rest] = lines
  const parts = /^--- (\w+) @ (\S+)(?:( adds)|(?: quotes (\d+))?( best)?)$/.exec(first?.text ?? '')
  const [, account = '', time = '', adds, floor, best] = parts ?? []
  if (!account) fail(position.file, first, 'a comment begins with "--- account @ 3h" or "--- account @ 3h quotes 2"')
  const minutesAfterTopic = minutesOf(position, first, time)
  const agoInDays = position.daysAgo - minutesAfterTopic / minutesIn.d
  if (agoInDays <= 0) fail(position.file, first, 'this comment lies in the future')
  const author = accountIn(position, first, account, agoInDays)

  const turn = rest.findIndex((line) => line.text === '> replies')
  const body = readBody(position, turn < 0 ? rest : rest.slice(0, turn), first)
  const replies = turn < 0 ? [] : readReplies({ ...position, daysAgo: agoInDays }, rest.slice(turn + 1))
  const { comments, postscripts } = position.posts
  if (adds) {
    if (author !== position.asker) fail(position.file, first, 'only the asker adds to a question')
    if (turn >= 0) fail(position.file, rest[turn], 'nobody replies to what an asker adds')
    postscripts.push({ author, minutesAfterTopic, body })
    return minutesAfterTopic
  }
  if (floor && (Number(floor) < 1 || Number(floor) > comments.length)) fail(position.file, first, `there is no earlier floor ${floor}`)
  if (best) checkBest(position, first, author)
  comments.push({ author, minutesAfterTopic, ...(floor && { quotesFloor: Number(floor) }), isBest: best !== undefined, body, replies })
  return minutesAfterTopic
}

function checkBest({ file, asker, posts }: Thread, line: Line | undefined, author: string): void {
  if (!asker) fail(file, line, 'only a question has a best answer')
  if (author === asker) fail(file, line, 'the best answer is not by its asker')
  if (posts.comments.some(({ isBest }) => isBest)) fail(file, line, 'a question has one best answer')
}

function readReplies(position: FilePosition, lines: Line[]): SampleReply[] {
  const replies: SampleReply[] = []
  for (const line of lines.filter((one) => one.text.trim() !== '')) {
    const parts = /^- (\w+) @ (\S+)(?: -> (\w+))? : (.+)$/.exec(line.text)
    const [, account = '', time = '', answers, body = ''] =
      parts ?? fail(position.file, line, 'a reply is "- account @ 5m -> other : words"')
    const minutesAfterComment = minutesOf(position, line, time)
    const agoInDays = position.daysAgo - minutesAfterComment / minutesIn.d
    if (agoInDays <= 0) fail(position.file, line, 'this reply lies in the future')
    if (minutesAfterComment < (replies.at(-1)?.minutesAfterComment ?? 0)) fail(position.file, line, 'replies go by time')
    if (answers && !replies.some((one) => one.author === answers)) fail(position.file, line, `${answers} has no earlier reply here`)
    replies.push({
      author: accountIn(position, line, account, agoInDays),
      minutesAfterComment,
      ...(answers && { answers }),
      body: body.trim(),
    })
    checkMentions(position, line)
  }
  return replies
}

function readBody(position: FilePosition, lines: Line[], before: Line | undefined): string {
  const body = lines
    .map((line) => line.text)
    .join('\n')
    .trim()
  if (!body) fail(position.file, before, 'there is no text after this line')
  let inCode = false
  for (const line of lines) {
    if (line.text.startsWith('```')) inCode = !inCode
    if (!inCode) checkMentions(position, line)
  }
  if (inCode) fail(position.file, before, 'a code block that begins after this line never ends')
  return body
}

function checkMentions(position: FilePosition, line: Line): void {
  for (const [, picture = ''] of line.text.matchAll(/\(picture:([^)]*)\)/g)) {
    if (!position.known.pictures.has(picture)) fail(position.file, line, `there is no picture ${picture}`)
  }
  for (const [, account = ''] of line.text.replaceAll(/`[^`]*`/g, '').matchAll(/(?<![\w/])@(\w+)/g)) {
    if (!position.known.accounts.has(account)) fail(position.file, line, `there is no member ${account}`)
  }
}

function accountIn(position: FilePosition, line: Line | undefined, account: string, daysAgo: number): string {
  const joined = position.known.accounts.get(account) ?? fail(position.file, line, `there is no member ${account}`)
  if (joined < daysAgo) fail(position.file, line, `${account} had not joined yet`)
  return account
}

function minutesOf(position: FilePosition, line: Line | undefined, time: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(time) ?? []
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') fail(position.file, line, 'a time is 20m, 3.5h or 2d')
  return Number(amount) * minutesIn[unit]
}

function fail(file: string, line: Line | undefined, problem: string): never {
  throw new Error(`${file}:${line?.number ?? 1}: ${problem}`)
}
