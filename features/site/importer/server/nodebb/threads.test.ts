import { describe, expect, test } from 'vitest'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { aNodebb, category, member, rowsOf, rowsWithRestarts, topic } from '#importer/testing/nodebb-reading.ts'
import type { Key } from '#importer/testing/nodebb-keys.ts'

const now = new Date(100_000)
const base = [...category('5'), ...member('2'), ...member('3')]
const post = (pid: string, fields: Record<string, unknown>): Key => ({
  key: `post:${pid}`,
  hash: { pid, tid: 1, uid: 2, timestamp: 1_000, ...fields },
})

/** The keys without the earlier ones of the same hashes. */
function withLater(keys: readonly Key[]): Key[] {
  return keys.filter((one, at) => !('hash' in one) || !keys.slice(at + 1).some(({ key }) => key === one.key))
}

describe('threads', () => {
  test('a topic whose first post is gone, or whose category does not come, is none', async () => {
    const reader = await aNodebb([
      ...base,
      ...topic('1', ['1']),
      ...topic('2', []),
      ...topic('3', ['3'], { cid: 77 }),
      ...topic('4', ['4'], { cid: -1 }),
      ...topic('5', ['5'], { cid: 'https://other.example/c' }),
      ...topic('6', ['6'], { mainPid: '600' }),
    ])
    expect((await rowsOf(reader, 'threads')).map(({ id }) => id)).toEqual(['1'])
  })

  test('a deleted topic, a deleted first post and a scheduled topic say so', async () => {
    const reader = await aNodebb(
      withLater([
        ...base,
        ...topic('1', ['1'], { deleted: 1 }),
        ...topic('2', ['2']),
        post('2', { tid: 2, deleted: '1' }),
        ...topic('3', ['3'], { timestamp: 200_000, deleted: 0, pinned: 1 }),
      ]),
      { now },
    )
    expect((await rowsOf(reader, 'threads')).map(({ id, opening, pin }) => [id, opening.state, pin])).toEqual([
      ['1', 'deleted', 0],
      ['2', 'deleted', 0],
      ['3', 'pending', 0],
    ])
  })

  test('a pin lasts until its end', async () => {
    const pinned = (pinExpiry?: number) => ({ pinned: 1, ...(pinExpiry !== undefined && { pinExpiry }) })
    const reader = await aNodebb(
      [
        ...base,
        ...topic('1', ['1'], pinned()),
        ...topic('2', ['2'], pinned(90_000)),
        ...topic('3', ['3'], pinned(110_000)),
        ...topic('4', ['4'], pinned(0)),
      ],
      { now },
    )
    expect((await rowsOf(reader, 'threads')).map(({ pin }) => pin)).toEqual([1, 0, 1, 1])
  })

  // NodeBB #1666, #11498: what looks like a number is one in MongoDB.
  test('titles and tags of digits alone are text, and tags may have one character', async () => {
    const reader = await aNodebb([
      ...base,
      ...topic('1', ['1'], { title: '1984', tags: 'c, go,,2024' }),
      ...topic('2', ['2'], { title: 7, tags: 7 }),
    ])
    expect((await rowsOf(reader, 'threads')).map(({ title, tags }) => [title, tags])).toEqual([
      ['1984', ['c', 'go', '2024']],
      ['7', ['7']],
    ])
  })

  test('a question has the answer that solved it, if a post did', async () => {
    const question = (fields: Record<string, unknown>) => ({ isQuestion: 1, ...fields })
    const reader = await aNodebb([
      ...base,
      ...topic('1', ['1', '11'], question({ isSolved: 1, solvedPid: 11 })),
      ...topic('2', ['2'], question({ isSolved: 1, solvedPid: 0 })),
      ...topic('3', ['3', '31'], question({ isSolved: 0, solvedPid: 31 })),
      ...topic('4', ['4', '41'], { isQuestion: 0, isSolved: 1, solvedPid: 41 }),
    ])
    expect((await rowsOf(reader, 'threads')).map(({ kind }) => kind)).toEqual(['question', 'question', 'question', 'topic'])
    expect(await rowsOf(reader, 'accepted')).toEqual([{ threadId: '1', acceptedId: '11' }])
  })

  // NodeBB #6282, #6248
  test('a merged topic has no posts and leads to the one that is left, also over several', async () => {
    const reader = await aNodebb([
      ...base,
      ...topic('1', ['1']),
      ...topic('2', [], { deleted: 1, mainPid: 0, mergeIntoTid: 1 }),
      ...topic('3', [], { deleted: 1, mainPid: 0, mergeIntoTid: 2 }),
      ...topic('4', [], { deleted: 1, mainPid: 0, mergeIntoTid: 44 }),
      ...topic('6', [], { deleted: 1, mainPid: 0, mergeIntoTid: 6 }),
    ])
    expect((await rowsOf(reader, 'threads')).map(({ id }) => id)).toEqual(['1'])
    expect(await rowsOf(reader, 'moved')).toEqual([
      { id: '2', threadId: '1' },
      { id: '3', threadId: '1' },
    ])
  })
})

describe('comments', () => {
  // nodebb-plugin-import #163, NodeBB #12984
  test('comments follow their times, not their ids, and one of the same time the text of its id', async () => {
    const reader = await aNodebb([...base, ...topic('1', ['9', '8', '20', '3'])])
    expect((await rowsOf(reader, 'comments')).map(({ id, number }) => [id, number])).toEqual([
      ['8', 2],
      ['20', 3],
      ['3', 4],
    ])
  })

  test('a number counts an entry whose post is lost, and the main post that old boards list as well', async () => {
    const keys = [...base, ...topic('1', ['9', '8', '20', '3']), { key: 'tid:1:posts', sorted: { 9: 1 } }]
    const reader = await aNodebb(keys.filter(({ key }) => key !== 'post:20'))
    expect((await rowsOf(reader, 'comments')).map(({ id, number }) => [id, number])).toEqual([
      ['8', 3],
      ['3', 5],
    ])
  })

  // NodeBB #13527, #2752
  test('a comment keeps what it answers, also where that is gone or elsewhere', async () => {
    const reader = await aNodebb(
      withLater([
        ...base,
        ...topic('1', ['1', '2', '3', '4']),
        post('2', { toPid: 77 }),
        post('3', { toPid: 'https://other.example/note/1' }),
        post('4', { toPid: 0 }),
      ]),
    )
    expect((await rowsOf(reader, 'comments')).map(({ answersId }) => answersId)).toEqual(['77', 'https://other.example/note/1', null])
  })

  test('a guest has the name that was given, a member who is gone has none', async () => {
    const reader = await aNodebb(
      withLater([
        ...base,
        ...topic('1', ['1', '2', '3', '4']),
        post('2', { uid: 0, handle: 'Mei' }),
        post('3', { uid: 44 }),
        post('4', { uid: 0 }),
      ]),
    )
    expect((await rowsOf(reader, 'comments')).map(({ author }) => author)).toEqual([
      { guestName: 'Mei' },
      { guestName: '' },
      { guestName: '' },
    ])
  })

  test('posts of other servers keep the names of their people, as guests, and their text', async () => {
    const [person, note, other] = ['https://other.example/u/bo', 'https://other.example/n/1', 'https://other.example/n/2']
    const reader = await aNodebb(
      withLater([
        ...base,
        ...topic('1', ['1', note, other]),
        { key: `userRemote:${person}`, hash: { username: 'bo', userslug: 'bo@other.example' } },
        post(note, { uid: person, content: '<p>Hello &amp; <b>bye</b></p><p>tea</p>' }),
        post(other, { uid: person, content: '<p>x</p>', sourceContent: '**source**' }),
        ...topic('0b8e-uuid', [`${note}9`]),
        { key: 'users:joindate', sorted: { [person]: 9 } },
      ]),
    )
    const comments = await rowsOf(reader, 'comments')
    expect(comments.map(({ id, author }) => [id, author])).toEqual([
      [note, { guestName: 'bo' }],
      [other, { guestName: 'bo' }],
    ])
    expect(comments.map(({ body }) => toMarkdown(body.document))).toEqual(['Hello & bye\\\ntea', '**source**'])
    expect(comments[0]?.body.notes).toEqual(['format of a post from another server'])
    expect((await rowsOf(reader, 'threads')).map(({ id }) => id)).toEqual(['1', '0b8e-uuid'])
    expect((await rowsOf(reader, 'members')).map(({ id }) => id)).toEqual(['2', '3'])
  })

  test('a later run reads new comments of old threads with their numbers, and posts of other servers by their times', async () => {
    const note = 'https://other.example/n/1'
    const reader = await aNodebb([...base, ...topic('1', ['1', '2', note, '7']), ...topic('3', ['5', '6'])])
    const later = await rowsOf(reader, 'comments', { since: '5@1500', upto: '6@9000' })
    expect(later.map(({ threadId, id, number }) => [threadId, id, number])).toEqual([
      ['1', note, 3],
      ['3', '6', 2],
    ])
  })
})

test('reading goes on after a restart at any page, with the same rows and numbers', async () => {
  const pids = Array.from({ length: 1_300 }, (_, at) => String(1_000 + at))
  const keys = [...base, ...topic('1', ['1', ...pids]), ...topic('2', ['2', '21']), ...topic('3', ['3', '31'])]
  const reader = await aNodebb(keys)
  const [whole, parts] = [await rowsOf(reader, 'comments'), await rowsWithRestarts(reader, 'comments')]
  expect(parts).toEqual(whole)
  expect(whole).toHaveLength(1_302)
  expect(whole.at(-3)).toMatchObject({ threadId: '1', id: '2299', number: 1_301 })
  for (const kind of ['threads', 'members', 'tags', 'groups', 'follows', 'files', 'likes'] as const)
    expect.soft(await rowsWithRestarts(reader, kind), kind).toEqual(await rowsOf(reader, kind))
  expect(await reader.count('comments')).toBe(1_302)
  expect(await reader.count('threads')).toBe(3)
})
