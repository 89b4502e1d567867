import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { toText } from '#base/rich-text/to-text.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { withDatabase } from '#base/testing/database.ts'
import { openDiscourse } from '#importer/server/discourse/reader.ts'
import { kinds } from '#importer/server/source.ts'
import { openDump } from '#importer/server/tables/dump.ts'
import { openPostgres } from '#importer/server/tables/postgres.ts'
import { aDiscourse, rowsOf } from '#importer/testing/discourse-reading.ts'
import { dumpFolder } from '#importer/testing/dump-file.ts'
import { category, oldDiscourse, poll, post, topic, upload, user } from '#importer/testing/old-discourse.ts'
import { postgresDump, postgresTables } from '#importer/testing/postgres-dump.ts'

const folder = dumpFolder()
const now = new Date('2026-01-01T00:00:00Z')
const setting = (name: string, value: string) => ({ id: name.length, name, data_type: 5, value })
const letters = (id: number, more = {}) => topic(id, null, 'Letters', { archetype: 'private_message', ...more })

test('a live database gives the rows that a dump of it does', async () => {
  const name = `discourse_${process.pid}`
  const owner = new URL(withDatabase(inject('database').owner, name))
  const run = async (address: string, text: string) => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await run(inject('database').owner, `create database ${name}`)
  afterFile(() => run(inject('database').owner, `drop database ${name} with (force)`))
  await run(owner.href, postgresTables(oldDiscourse, 'insert'))
  const password = decodeURIComponent(owner.password)
  owner.password = ''
  const live = await openDiscourse(await openPostgres({ url: owner.href, password }), { bytesOf: async () => null }, { now })
  const dumped = await aDiscourse(folder, {}, { now })
  for (const kind of kinds) {
    expect(await rowsOf(live, kind), kind).toEqual(await rowsOf(dumped, kind))
    expect(await live.count(kind), kind).toBe(await dumped.count(kind))
  }
  await live.close()
})

// nodebb-plugin-import #131
test('a backup of an older Discourse names no schema before its tables', async () => {
  const dump = folder.write(
    'older.sql',
    postgresDump(oldDiscourse).replace('\n\n', '\n\nSET search_path = restore, pg_catalog;\n').replaceAll(' public.', ' '),
  )
  const reader = await openDiscourse(await openDump(dump), { bytesOf: async () => null })
  expect((await rowsOf(reader, 'members')).map(({ name }) => name)).toContain('Ann.Lee')
  await reader.close()
})

test('another database is refused', async () => {
  const dump = folder.write('other.sql', postgresDump({ users: [{ id: 1 }] }))
  await expect(openDiscourse(await openDump(dump), { bytesOf: async () => null })).rejects.toThrow('There is no Discourse: user_emails')
})

test('a later run reads what came since, also in older topics and letters', async () => {
  const reader = await aDiscourse(folder)
  expect((await rowsOf(reader, 'comments', { since: '110' })).map(({ id }) => id)).toEqual(['115'])
  expect((await rowsOf(reader, 'messages', { since: '118' })).map(({ id }) => id)).toEqual(['119'])
  expect((await rowsOf(reader, 'members', { since: '5' })).map(({ id }) => id)).toEqual(['6', '7'])
})

test('staff are named, and no group of theirs becomes a role', async () => {
  const reader = await aDiscourse(folder)
  expect(await reader.staff()).toEqual([{ name: 'admin', as: 'admin' }])
  expect((await rowsOf(reader, 'groups')).filter(({ isBuiltIn }) => !isBuiltIn)).toEqual([
    { id: '41', name: 'tasters', isBuiltIn: false, isStaff: false },
  ])
})

// discourse #20980, #20981
test('a password goes by the rounds that it names, and without them by those of then', async () => {
  const members = await rowsOf(await aDiscourse(folder), 'members')
  const of = (name: string) => members.find((one) => one.name === name)?.password
  expect(of('Ann.Lee')?.hash).toMatch(/^\$pbkdf2-sha256\$i=1000,l=32\$[\da-f]{64}$/)
  expect(of('older')?.hash).toMatch(/^[\da-f]{64}$/)
  expect(of('mei')).toBeNull()
})

test('an address is confirmed where the account is active, or a letter to it was answered', async () => {
  const users = [user(1, 'active', {}), user(2, 'staged', { active: false, staged: true }), user(3, 'answered', { active: false })]
  const user_emails = users.map((_, at) => ({ id: at, user_id: at + 1, email: `${at + 1}@example.org`, primary: true }))
  const email_tokens = [
    { id: 1, user_id: 2, email: 'another@example.org', confirmed: true },
    { id: 2, user_id: 3, email: '3@example.org', confirmed: true },
  ] as const
  const members = await rowsOf(await aDiscourse(folder, { users, user_emails, email_tokens }), 'members')
  expect(members.map(({ email }) => email?.isConfirmed)).toEqual([true, false, true])
})

test.each([
  // discourse #10478
  ['suspended for a thousand years', { suspended_till: '3024-01-01 00:00:00' }, [{ from: 'logging in', reason: '', until: null }]],
  ['silenced', { silenced_till: '2027-01-01 00:00:00' }, [{ from: 'posting', reason: '', until: new Date('2027-01-01T00:00:00Z') }]],
  ['free again', { suspended_till: '2025-01-01 00:00:00', silenced_till: '2025-01-01 00:00:00' }, []],
])('a member who is %s is banned accordingly', async (_, more, bans) => {
  const [member] = await rowsOf(await aDiscourse(folder, { users: [user(8, 'one', more)], user_histories: [] }, { now }), 'members')
  expect(member?.bans).toEqual(bans)
})

test('a member who waits for approval cannot log in', async () => {
  const tables = {
    users: [user(8, 'waits', {}), user(9, 'approved', { approved: true })],
    site_settings: [setting('must_approve_users', 't')],
  }
  const members = await rowsOf(await aDiscourse(folder, tables), 'members')
  expect(members.map(({ bans }) => bans.map(({ from }) => from))).toEqual([['logging in'], []])
})

// discourse #33319
test('the avatar is the picture that the member chose, and answers that the profile shows have their questions', async () => {
  const member = (await rowsOf(await aDiscourse(folder), 'members')).find(({ name }) => name === 'Ann.Lee')
  expect(member?.avatar).toBe(`uploads/default/original/1X/${'1'.repeat(40)}.png`)
  expect(member?.fields).toEqual({ Town: 'Hangzhou' })
})

test.each(['hide_profile', 'hide_profile_and_presence'])(
  'a member who hides their profile by %s has nothing of it here',
  async (option) => {
    const members = await rowsOf(await aDiscourse(folder, { user_options: [{ user_id: 2, [option]: true }] }), 'members')
    expect(members.find(({ id }) => id === '2')).toMatchObject({ about: '', fields: {} })
  },
)

test('a site that asks everybody to log in is read by nobody else', async () => {
  const reader = await aDiscourse(folder, { site_settings: [setting('login_required', 't')], category_groups: [] })
  expect((await rowsOf(reader, 'tags')).map(({ readers }) => readers)).toEqual([
    'members',
    'members',
    'members',
    'members',
    [],
    'members',
    [],
    [],
  ])
})

// discourse #39516
test('a category for all who are logged in is for members, under the name that this group has since 2026', async () => {
  const groups = [...(oldDiscourse['groups'] ?? []), { id: 7, name: 'logged_in_users', automatic: true }]
  const category_groups = [{ id: 1, category_id: 5, group_id: 7, permission_type: 1 }]
  const tags = await rowsOf(await aDiscourse(folder, { groups, category_groups }), 'tags')
  expect(tags.find(({ id }) => id === '5')).toMatchObject({ readers: 'members', writers: 'members', commenters: 'members' })
})

// discourse #23681
test('files are those that posts show, by the table of now or by the one before', async () => {
  const two = [upload(1, 'a'.repeat(40), 'a.png', {}), upload(2, 'b'.repeat(40), 'b.png', {})]
  const files = async (tables: Parameters<typeof aDiscourse>[1]) =>
    (await rowsOf(await aDiscourse(folder, { uploads: two, ...tables }), 'files')).map(({ name }) => name)
  expect(await files({ upload_references: [{ id: 1, upload_id: 2, target_type: 'Post', target_id: 1 }] })).toEqual(['b.png'])
  expect(await files({ upload_references: [{ id: 1, upload_id: 2, target_type: 'UserExport', target_id: 1 }] })).toEqual([])
  expect(await files({ upload_references: [], post_uploads: [{ id: 1, post_id: 1, upload_id: 1 }] })).toEqual(['a.png'])
})

test('an upload of the oldest kind has an id for each of its addresses', async () => {
  const url = '/uploads/default/2/0123456789abcdef.png'
  const uploads = [upload(1, 'a'.repeat(40), 'a.png', { url })]
  const files = await rowsOf(await aDiscourse(folder, { uploads }), 'files')
  expect(files.map(({ id, path }) => [id, path])).toEqual([
    ['a'.repeat(40), 'uploads/default/2/0123456789abcdef.png'],
    ['uploads/default/2/0123456789abcdef.png', 'uploads/default/2/0123456789abcdef.png'],
  ])
})

// discourse #39903, #8664
test('a secure file is shown by its own post alone', async () => {
  const uploads = [upload(1, 'a'.repeat(40), 'secret.png', { secure: true, access_control_post_id: 201 })]
  const raw = `![x](/uploads/default/original/1X/${'a'.repeat(40)}.png)`
  const posts = [post(200, 20, 1, { raw }), post(201, 20, 2, { raw })]
  const reader = await aDiscourse(folder, { uploads, topics: [topic(20, 2, 'Tea', {})], posts })
  const [thread] = await rowsOf(reader, 'threads')
  expect(JSON.stringify(thread)).not.toContain('a'.repeat(40))
  expect(thread?.opening.body.notes).toEqual(['secure file of another post'])
  expect(JSON.stringify(await rowsOf(reader, 'comments'))).toContain(`import:file/${'a'.repeat(40)}`)
})

// wp-discourse #402, discourse #13700
test.each([
  ['hidden', { hidden: true }],
  ['withdrawn', { user_deleted: true }],
  ['deleted', { deleted_at: '2020-01-03 00:00:00' }],
])('a post that is %s comes as deleted, and a letter not at all', async (_, more) => {
  const topics = [topic(20, 2, 'Tea', {}), letters(21)]
  const posts = [post(200, 20, 1, { raw: 'open' }), post(201, 20, 2, { raw: 'gone', ...more }), post(202, 21, 1, { raw: 'gone', ...more })]
  const reader = await aDiscourse(folder, { topics, posts, topic_allowed_users: [{ id: 1, topic_id: 21, user_id: 3 }] })
  expect((await rowsOf(reader, 'comments')).map(({ state }) => state)).toEqual(['deleted'])
  expect(await rowsOf(reader, 'messages')).toEqual([])
})

// discourse #13830
test('a whisper leaves its floor, without words and author', async () => {
  const whisper = (await rowsOf(await aDiscourse(folder), 'comments')).find(({ number }) => number === 4)
  expect(whisper).toMatchObject({ author: { guestName: '' }, state: 'deleted', answersId: null })
  expect(toText(whisper?.body.document ?? { type: 'doc', content: [] })).toBe('')
})

// discourse #4100
test('a post of a member who is gone has a guest for its author', async () => {
  const comments = await rowsOf(await aDiscourse(folder), 'comments')
  expect(comments.find(({ id }) => id === '108')?.author).toEqual({ guestName: '' })
  expect(comments.find(({ id }) => id === '109')?.author).toEqual({ guestName: 'system' })
})

// discourse #42218
test('a tag that only some groups see is in no text', async () => {
  const [thread] = await rowsOf(await aDiscourse(folder), 'threads')
  expect(thread?.tags).toEqual(['spring'])
  expect(thread?.opening.body.notes).toContain('tag that only some groups see')
})

test('topic tags are those that topics have which everybody reads', async () => {
  const tags = async (tables: Parameters<typeof aDiscourse>[1]) =>
    (await rowsOf(await aDiscourse(folder, tables), 'tags')).flatMap(({ id, isTopicTag }) => (isTopicTag ? [id] : []))
  expect(await tags({})).toEqual(['tag/spring'])
  expect(await tags({ site_settings: [setting('login_required', 't')] })).toEqual([])
  expect(await tags({ tags: [{ id: 1, name: 'spring' }] })).toEqual([])
})

// discourse #10567
test('a topic of a category that is gone, or without its first post, does not break the others', async () => {
  const topics = [topic(20, 99, 'Gone', {}), topic(21, 2, 'Empty', {}), topic(22, 2, 'Tea', {})]
  const posts = [post(200, 20, 1, { raw: 'a' }), post(201, 21, 2, { raw: 'b' }), post(202, 22, 1, { raw: 'c' })]
  const threads = await rowsOf(await aDiscourse(folder, { topics, posts }), 'threads')
  expect(threads.map(({ title, tagId }) => [title, tagId])).toEqual([
    ['Gone', '99'],
    ['Tea', '2'],
  ])
})

// discourse #4240
test('a letter goes to those who take part, also by a group that people made, and to no group of staff', async () => {
  const messages = await rowsOf(await aDiscourse(folder), 'messages')
  expect(messages.map(({ id, authorId, readerIds, title, isRead }) => [id, authorId, readerIds, title, isRead])).toEqual([
    ['118', '2', ['5', '3'], 'A letter', false],
    ['119', '3', ['2', '5'], '', false],
  ])
})

test('a letter is read once all have read as far', async () => {
  const topic_users = ['3', '5'].map((user_id) => ({
    topic_id: 17,
    user_id: Number(user_id),
    notification_level: 1,
    last_read_post_number: 1,
    last_visited_at: null,
    notifications_changed_at: null,
  }))
  const [first] = await rowsOf(await aDiscourse(folder, { topic_users }), 'messages')
  expect(first?.isRead).toBe(true)
})

const ofPoll = (more: Parameters<typeof poll>[2], poll_votes = oldDiscourse['poll_votes'] ?? []) =>
  aDiscourse(folder, { polls: [poll(1, 116, more)], poll_votes }, { now })

test.each([
  ['one choice', { type: 0 }, { maxChoices: 1, showsResults: 'always', isPublic: true, endsAt: null }],
  ['a number', { type: 2, max: 10 }, { maxChoices: 1 }],
  ['several choices', { type: 1 }, { maxChoices: 3 }],
  ['results after voting', { results: 1, visibility: 0 }, { showsResults: 'voted', isPublic: false }],
  [
    'results at the end',
    { results: 2, close_at: '2027-01-01 00:00:00' },
    { showsResults: 'ended', endsAt: new Date('2027-01-01T00:00:00Z') },
  ],
  ['an end by hand', { status: 1, updated_at: '2020-05-05 00:00:00' }, { endsAt: new Date('2020-05-05T00:00:00Z') }],
])('a poll of %s keeps its rules', async (_, more, expected) => {
  const threads = await rowsOf(await ofPoll(more), 'threads')
  expect(threads.find(({ title }) => title === 'A poll')?.poll).toMatchObject(expected)
})

test('a poll of ranks has the first choice of each, and one for staff no votes', async () => {
  const vote = (poll_option_id: number, rank: number) => ({
    poll_id: 1,
    poll_option_id,
    user_id: 3,
    rank,
    created_at: '2020-01-02 00:00:00',
  })
  const ranked = await rowsOf(await ofPoll({ type: 3 }, [vote(1, 2), vote(2, 1), vote(3, 0)]), 'votes')
  expect(ranked.map(({ optionIds }) => optionIds)).toEqual([['2']])
  expect(await rowsOf(await ofPoll({ results: 3 }), 'votes')).toEqual([])
})

test('answers that were accepted before the plugin had a table are accepted, each in a question', async () => {
  const reader = await aDiscourse(folder, {
    discourse_solved_solved_topics: [{ id: 1, topic_id: 0, answer_post_id: 0 }],
    category_custom_fields: [],
  })
  expect(await rowsOf(reader, 'accepted')).toContainEqual({ threadId: '14', acceptedId: '115' })
  expect((await rowsOf(reader, 'threads')).find(({ id }) => id === '14')?.kind).toBe('question')
})

test('a category within another has its address by slugs, as older texts write it', async () => {
  const categories = [category(2, 'Tea', {}), category(3, 'Green', { parent_category_id: 2, slug: '' })]
  const { addressRules } = await aDiscourse(folder, { categories }, { origin: 'https://old.example/forum' })
  expect(addressRules).toEqual({ folder: '/forum/', 'c/tea': '2', 'c/tea/3-category': '3' })
})

test.each([
  ['HTML', 2, '<p>one <b>two</b></p>**three**', 'one two\n**three**'],
  ['a letter', 3, 'one\n**two** [b]x[/b]', 'one\n**two** [b]x[/b]'],
])('a post that came as %s is read as that', async (_, cook_method, raw, text) => {
  const reader = await aDiscourse(folder, { topics: [topic(20, 2, 'Tea', {})], posts: [post(200, 20, 1, { raw, cook_method })] })
  const [thread] = await rowsOf(reader, 'threads')
  expect(toText(thread?.opening.body.document ?? { type: 'doc', content: [] })).toBe(text)
})
