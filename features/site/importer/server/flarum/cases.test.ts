import { describe, expect, test } from 'vitest'
import { toText } from '#base/rich-text/to-text.ts'
import { answeredIn } from '#importer/server/flarum/posts.ts'
import { aFlarum, permissions, rowsUntilNow } from '#importer/testing/flarum-reading.ts'
import { rowsOf } from '#importer/testing/nodebb-reading.ts'
import { discussion, post, tag, user } from '#importer/testing/old-flarum.ts'

const tagged = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([discussion_id, tag_id]) => ({ discussion_id, tag_id }))

describe('tags', () => {
  test('a forum without the extension has one, open as the forum is', async () => {
    const reader = await aFlarum()
    const everything = { readers: 'everybody', writers: 'members', commenters: 'members' }
    expect(await rowsUntilNow(reader, 'tags')).toEqual([
      { id: '0', parentId: null, name: 'Teas', description: '', order: 0, ...everything },
    ])
  })

  test('flarum/framework #655: a tag for everybody in a forum for members is for everybody', async () => {
    const reader = await aFlarum({
      group_permission: permissions([3, 'viewForum'], [2, 'tag1.viewForum']),
      tags: [tag(1, 'public', { position: 0, is_restricted: 1 }), tag(2, 'inside', { position: 1 })],
      discussion_tag: tagged([1, 1]),
    })
    expect((await rowsUntilNow(reader, 'tags')).map(({ id, readers, writers }) => [id, readers, writers])).toEqual([
      ['1', 'everybody', []],
      ['2', 'members', []],
    ])
  })

  test('flarum/framework #761: a tag below a restricted one is no wider than it, though it is not restricted itself', async () => {
    const reader = await aFlarum({
      group_permission: permissions([2, 'viewForum'], [3, 'startDiscussion'], [3, 'discussion.reply'], [5, 'tag1.viewForum']),
      tags: [tag(1, 'top', { position: 0, is_restricted: 1 }), tag(2, 'below', { position: 0, parent_id: 1 })],
      discussion_tag: tagged([1, 1], [1, 2]),
    })
    const below = { readers: ['5'], writers: [], commenters: [] }
    expect((await rowsUntilNow(reader, 'tags')).map(({ readers, writers, commenters }) => ({ readers, writers, commenters }))).toEqual([
      below,
      below,
    ])
  })

  test('flarum/framework #3640: a tag below a primary one is a place, and no further tag', async () => {
    const reader = await aFlarum({
      tags: [tag(1, 'top', { position: 0 }), tag(2, 'below', { position: 0, parent_id: 1 }), tag(3, 'more')],
      discussion_tag: tagged([1, 1], [1, 2], [1, 3]),
    })
    expect((await rowsUntilNow(reader, 'threads')).map(({ tagId, tags }) => ({ tagId, tags }))).toEqual([{ tagId: '2', tags: ['more'] }])
    expect((await rowsUntilNow(reader, 'tags')).map(({ id, parentId, isTopicTag = false }) => [id, parentId, isTopicTag])).toEqual([
      ['1', null, false],
      ['2', '1', false],
      ['3', null, true],
    ])
  })

  test('flarum/framework #2149: of all its tags the narrowest says who reads a discussion, a secondary one too', async () => {
    const reader = await aFlarum({
      group_permission: permissions(
        [2, 'viewForum'],
        [3, 'tag2.viewForum'],
        [5, 'tag3.viewForum'],
        [6, 'tag4.viewForum'],
        [5, 'tag4.viewForum'],
      ),
      tags: [tag(1, 'open', { position: 0 }), ...[2, 3, 4].map((id) => tag(id, `secret-${id}`, { is_restricted: 1 }))],
      discussions: [1, 2, 3, 4].map((id) => discussion(id, `No. ${id}`, id)),
      posts: [1, 2, 3, 4].map((id) => post(id, id, 1, '<t>x</t>')),
      discussion_tag: tagged([1, 1], [2, 1], [2, 2], [3, 1], [3, 2], [3, 3], [4, 3], [4, 4]),
    })
    expect((await rowsUntilNow(reader, 'threads')).map(({ tagId, opening }) => [tagId, opening.state])).toEqual([
      ['1', 'published'],
      ['2', 'published'],
      ['3', 'published'],
      ['3', 'published'],
    ])
  })

  test('a secondary tag that stands only where not everybody reads is no tag here', async () => {
    const reader = await aFlarum({
      group_permission: permissions([2, 'viewForum'], [5, 'tag1.viewForum']),
      tags: [tag(1, 'fives', { position: 0, is_restricted: 1 }), tag(2, 'telling')],
      discussion_tag: tagged([1, 1], [1, 2]),
    })
    expect((await rowsUntilNow(reader, 'tags')).map(({ id }) => id)).toEqual(['1'])
    expect((await rowsUntilNow(reader, 'threads')).map(({ tags }) => tags)).toEqual([['telling']])
  })

  test('a discussion with tags for different groups is for staff to place', async () => {
    const reader = await aFlarum({
      group_permission: permissions([5, 'tag1.viewForum'], [6, 'tag2.viewForum']),
      tags: [tag(1, 'fives', { position: 0, is_restricted: 1 }), tag(2, 'sixes', { position: 1, is_restricted: 1 })],
      discussion_tag: tagged([1, 1], [1, 2]),
    })
    expect((await rowsUntilNow(reader, 'threads')).map(({ opening }) => opening.state)).toEqual(['deleted'])
  })

  test('Flarum 2 says which tag is primary, whatever its position is', async () => {
    const reader = await aFlarum({
      tags: [tag(1, 'one', { position: 0, is_primary: 0 }), tag(2, 'two', { position: 1, is_primary: 1 })],
      discussion_tag: tagged([1, 1], [1, 2]),
    })
    expect((await rowsUntilNow(reader, 'threads')).map(({ tagId, tags }) => ({ tagId, tags }))).toEqual([{ tagId: '2', tags: ['one'] }])
  })
})

describe('posts', () => {
  test('flarum/framework #1283: without its first post, a discussion opens with the next comment, and not with an event', async () => {
    const reader = await aFlarum({
      discussions: [discussion(1, 'One', null)],
      posts: [post(3, 1, 2, '["a","b"]', { type: 'discussionRenamed' }), post(5, 1, 4, '<t>later</t>'), post(4, 1, 3, '<t>next</t>')],
    })
    expect((await rowsUntilNow(reader, 'threads')).map(({ opening }) => opening.id)).toEqual(['4'])
    expect((await rowsUntilNow(reader, 'comments')).map(({ id, number }) => [id, number])).toEqual([['5', 4]])
  })

  test('FriendsOfFlarum/merge-discussions #41: numbers are the order, and not times or ids', async () => {
    const reader = await aFlarum({
      posts: [post(1, 1, 1, '<t>a</t>'), post(9, 1, 2, '<t>b</t>'), post(4, 1, 5, '<t>c</t>', { created_at: '2020-01-01 00:00:00' })],
    })
    expect((await rowsUntilNow(reader, 'comments')).map(({ id, number }) => [id, number])).toEqual([
      ['9', 2],
      ['4', 5],
    ])
  })

  test('posts without a number, as scripts write them, come behind all others, also after a restart', async () => {
    const reader = await aFlarum({
      posts: [post(1, 1, 1, '<t>a</t>'), post(2, 1, null, '<t>b</t>'), post(3, 1, 2, '<t>c</t>'), post(4, 1, null, '<t>d</t>')],
    })
    const numbers = (rows: readonly { id: string; number: number | null }[]) => rows.map(({ id, number }) => [id, number])
    expect(numbers(await rowsUntilNow(reader, 'comments'))).toEqual([
      ['3', 2],
      ['2', null],
      ['4', null],
    ])
    const pages = reader.rows.comments({ after: null, since: null, upto: '4' })
    const first = await pages.next()
    const second = await rowsOf(reader, 'comments', { after: first.value?.cursor ?? '', upto: '4' })
    expect(numbers(second)).toEqual([
      ['2', null],
      ['4', null],
    ])
    const last = await pages.next()
    expect(await rowsOf(reader, 'comments', { after: last.value?.cursor ?? '', upto: '4' })).toEqual([])
  })

  test('MichaelBelgium/mybb_to_flarum #20: a discussion without a comment is none', async () => {
    const reader = await aFlarum({ discussions: [discussion(1, 'One', 1), discussion(2, 'Empty', null)] })
    expect((await rowsUntilNow(reader, 'threads')).map(({ id }) => id)).toEqual(['1'])
  })

  test('FriendsOfFlarum/byobu #211: bodies that a converter put into one another are read to the end', async () => {
    const reader = await aFlarum({
      posts: [
        post(1, 1, 1, '<t><t>first<br/><br/>second</t></t>'),
        post(2, 1, 2, '<r><p><r><QUOTE author="Ann"><s><QUOTE></s>said</p><p>answer</r>'),
        post(3, 1, 3, 'typed & plain'),
        post(4, 1, 4, null),
      ],
    })
    const texts = (await rowsUntilNow(reader, 'comments')).map(({ body }) => toText(body.document))
    expect((await rowsUntilNow(reader, 'threads')).map(({ opening }) => toText(opening.body.document))).toEqual(['first\nsecond'])
    expect([texts[0]?.includes('said'), texts[0]?.includes('answer')]).toEqual([true, true])
    expect(texts.slice(1)).toEqual(['typed & plain', ''])
  })

  test.each([
    ['at the beginning', '<r><p><POSTMENTION id="3">@"Ann"#p3</POSTMENTION> yes</p></r>', '3'],
    [
      'in the quotation at the beginning',
      '<r><QUOTE><i>&gt; </i><p><POSTMENTION id="3">@"Ann"#p3</POSTMENTION> a</p></QUOTE><p>b</p></r>',
      '3',
    ],
    ['later', '<r><p>see <POSTMENTION id="3">@"Ann"#p3</POSTMENTION></p></r>', null],
    ['in a list', '<r><LIST><LI><POSTMENTION id="3">@"Ann"#p3</POSTMENTION></LI></LIST></r>', null],
    ['in code', '<r><C>&lt;POSTMENTION id="3"&gt;</C></r>', null],
  ])('a mention %s answers or not', (_, xml, answered) => {
    expect(answeredIn(xml)).toBe(answered)
  })

  test('an opening that an extension keeps private gives way to the next comment', async () => {
    const reader = await aFlarum({
      posts: [post(1, 1, 1, '<t>private</t>', { is_private: 1 }), post(2, 1, 2, '<t>open</t>')],
    })
    expect((await rowsUntilNow(reader, 'threads')).map(({ opening }) => opening.id)).toEqual(['2'])
    expect(await rowsUntilNow(reader, 'comments')).toEqual([])
  })

  test('a post that waits is pending, and one that an extension keeps private does not come', async () => {
    const reader = await aFlarum({
      posts: [
        post(1, 1, 1, '<t>a</t>'),
        post(2, 1, 2, '<t>waits</t>', { is_private: 1, is_approved: 0 }),
        post(3, 1, 3, '<t>private</t>', { is_private: 1 }),
        post(4, 1, 4, '<t>hidden while it waited</t>', { is_private: 1, is_approved: 0, hidden_at: '2024-05-01 10:00:00' }),
      ],
    })
    expect((await rowsUntilNow(reader, 'comments')).map(({ id, state }) => [id, state])).toEqual([
      ['2', 'pending'],
      ['4', 'deleted'],
    ])
  })
})

describe('private discussions', () => {
  const addressed = (discussion_id: number, more = {}) => ({
    id: discussion_id,
    discussion_id,
    user_id: 1,
    group_id: null,
    removed_at: null,
    ...more,
  })
  const two = { discussions: [discussion(1, 'One', 1, { is_private: 0 })] }

  test('FriendsOfFlarum/byobu #101: one that was made public is a thread again', async () => {
    const reader = await aFlarum({ ...two, recipients: [addressed(1, { removed_at: '2024-05-01 10:00:00' })] })
    expect(await rowsUntilNow(reader, 'threads')).toHaveLength(1)
    expect(await rowsUntilNow(reader, 'messages')).toEqual([])
  })

  test('FriendsOfFlarum/byobu #145: one with recipients is private, whatever the forum marks it', async () => {
    const reader = await aFlarum({ ...two, recipients: [addressed(1)] })
    expect(await rowsUntilNow(reader, 'threads')).toEqual([])
    expect(await rowsUntilNow(reader, 'comments')).toEqual([])
    expect((await rowsUntilNow(reader, 'messages')).map(({ authorId, readerIds, title }) => [authorId, readerIds, title])).toEqual([
      ['2', ['1'], 'One'],
      ['2', ['1'], ''],
    ])
  })

  test('one to a group goes to its members of now, each once', async () => {
    const reader = await aFlarum({
      users: [1, 2, 3, 4].map((id) => user(id, `m${id}`)),
      group_user: [
        { user_id: 3, group_id: 7 },
        { user_id: 2, group_id: 7 },
        { user_id: 4, group_id: 8 },
      ],
      discussions: [discussion(1, 'One', 1, { is_private: 1 })],
      recipients: [addressed(1, { id: 1, user_id: null, group_id: 7 }), addressed(1, { id: 2, user_id: 3 })],
    })
    expect((await rowsUntilNow(reader, 'messages')).map(({ readerIds }) => readerIds)).toEqual([['3'], ['3']])
  })

  test('a run after a finished one brings the posts since then alone', async () => {
    const reader = await aFlarum({ ...two, recipients: [addressed(1)] })
    const rows = await rowsOf(reader, 'messages', { since: '1 0', upto: '2 0' })
    expect(rows.map(({ id }) => id)).toEqual(['post/2'])
    expect(await reader.marks()).toMatchObject({ threads: '1', comments: '2', messages: '2 0', files: '0' })
  })
})

describe('files', () => {
  test('uploads on this server come, and a path that leads out of their folder does not', async () => {
    const file = (id: number, path: string, more = {}) => ({
      id,
      actor_id: null,
      base_name: 'a.png',
      path,
      upload_method: 'local',
      uuid: `${id}`,
      ...more,
    })
    const files = [file(1, '2024\\a.png'), file(2, '/2024/b.png'), file(3, '../config.php'), file(4, 'c.png', { upload_method: 'aws-s3' })]
    const reader = await aFlarum({ fof_upload_files: files })
    expect((await rowsUntilNow(reader, 'files')).map(({ path }) => path)).toEqual(['assets/files/2024/a.png', 'assets/files/2024/b.png'])
  })
})

describe('members', () => {
  test.each([
    ['a name', 'a.png', 'assets/avatars/a.png'],
    ['an address here', 'https://old.example/assets/avatars/a.png', 'assets/avatars/a.png'],
    ['a path that leads elsewhere', '../files/a.png', null],
    ['a picture of another site', 'https://elsewhere.example/a.png', null],
    ['nothing', null, null],
  ])('an avatar that is %s', async (_, written, path) => {
    const reader = await aFlarum({ users: [user(1, 'Ann', { avatar_url: written })] })
    expect((await rowsUntilNow(reader, 'members')).map(({ avatar }) => avatar)).toEqual([path])
  })

  test('flarum/framework #4665: a suspension until 2038 is for ever, another has its end', async () => {
    const users = ['2038-01-01 00:00:00', '2030-01-01 00:00:00', null].map((until, at) =>
      user(at + 1, `m${at}`, { suspended_until: until }),
    )
    const reader = await aFlarum({ users })
    expect((await rowsUntilNow(reader, 'members')).map(({ bans }) => bans.map(({ from, until }) => [from, until]))).toEqual([
      [['posting', null]],
      [['posting', new Date('2030-01-01T00:00:00Z')]],
      [],
    ])
  })
})

describe('polls', () => {
  const options = { poll_options: [1, 2, 3].map((id) => ({ id, answer: `no. ${id}`, poll_id: 1 })) }
  const poll = { id: 1, question: 'Which?', end_date: null, public_poll: 0, allow_multiple_votes: 1 }

  test.each([
    ['of a discussion, before FriendsOfFlarum/polls #73', { discussion_id: 1, max_votes: 2 }, 2],
    ['of a post', { post_id: 1, max_votes: 2 }, 2],
    ['FriendsOfFlarum/polls #133: whose number of votes was lost', { post_id: 1, max_votes: 0 }, 3],
    ['with settings in JSON', { post_id: 1, max_votes: 0, settings: '{"allow_multiple_votes":"1","max_votes":"2","hide_votes":true}' }, 2],
  ])('a poll %s', async (_, more, maxChoices) => {
    const votes = [1, 3].map((option_id) => ({ id: option_id, poll_id: 1, option_id, user_id: 2, created_at: '2024-05-01 10:00:00' }))
    const reader = await aFlarum({ polls: [{ ...poll, ...more }], ...options, poll_votes: votes })
    expect((await rowsUntilNow(reader, 'threads')).map(({ poll: its }) => [its?.maxChoices, its?.options.length])).toEqual([
      [maxChoices, 3],
    ])
    expect((await rowsUntilNow(reader, 'votes')).map(({ threadId, optionIds }) => [threadId, optionIds])).toEqual([['1', ['1', '3']]])
  })

  test('a comment whose id is that of a discussion with a poll has none itself', async () => {
    const reader = await aFlarum({ polls: [{ ...poll, discussion_id: 2, max_votes: 0 }], ...options })
    expect((await rowsUntilNow(reader, 'comments')).map(({ body }) => body.notes)).toEqual([[]])
  })

  test('FriendsOfFlarum/polls #86: a poll without a post has no place, and one of a comment is counted', async () => {
    const reader = await aFlarum({
      polls: [
        { ...poll, post_id: null, max_votes: 0 },
        { ...poll, id: 2, post_id: 2, max_votes: 0 },
      ],
      ...options,
    })
    expect((await rowsUntilNow(reader, 'threads')).map((its) => its.poll)).toEqual([null])
    expect((await rowsUntilNow(reader, 'comments')).map(({ body }) => body.notes)).toEqual([['poll in a comment']])
  })
})
