import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { importList, type ImportCheck } from '#importer/contract.ts'
import { reasonWords } from '#importer/reasons.ts'
import { checkImport } from '#importer/server/check.ts'
import { checkText } from '#importer/server/check/text.ts'
import { saveCheck } from '#importer/server/list.ts'
import { importerOf } from '#importer/server/programs.ts'
import type { Kind, Reader, SourceRows } from '#importer/server/source.ts'
import { realSource, type RealProgram } from '#importer/testing/real-source.ts'
import { aReader, aSourceComment, aSourceMember, aSourceThread, bodyOf, minute, twoTags } from '#importer/testing/small-community.ts'
import { aStaffer } from '#staff/testing/factories.ts'

let forum: Forum
beforeAll(async () => {
  forum = await aForum()
})

const opened = (program: RealProgram) => importerOf(program).open(realSource(program))
const checked = async (reader: Reader) => (await checkImport(forum.database, reader)).check
const kindIn = ({ kinds: all }: ImportCheck, kind: Kind) => all.find((one) => one.kind === kind)

/** The kinds that have rows, as `coming`, with the reasons of those that stay and change. */
function shapeOf({ kinds: all }: ImportCheck) {
  return Object.fromEntries(
    all.flatMap(({ kind, coming, isWhole, leftOut, changed }) => {
      expect(isWhole).toBe(true)
      const reasons = (findings: typeof leftOut) =>
        Object.fromEntries(
          findings.map(({ why, count, samples }) => [why, [count, ...samples.map(({ id, name }) => (name ? `${name} (${id})` : id))]]),
        )
      return coming + leftOut.length > 0 ? [[kind, [coming, reasons(leftOut), reasons(changed)] as const]] : []
    }),
  )
}

describe('the rows of phpBB 3.3.15', async () => {
  const reader = await opened('phpbb')

  test('come as they are counted, but for a moved topic', async () => {
    expect(shapeOf(await checked(reader))).toEqual({
      tags: [3, {}, {}],
      members: [5, {}, {}],
      files: [2, {}, {}],
      threads: [
        17,
        { 'moved thread, whose address leads on': [1, '19'] },
        { color: [1, '11'], size: [1, '11'], 'picture elsewhere': [1, '11'] },
      ],
      moved: [1, {}, {}],
      comments: [2, {}, {}],
      votes: [1, {}, {}],
      messages: [1, {}, {}],
    })
  })

  test('are for nobody without tables of permissions, which is said before all else', async () => {
    const check = await checked(reader)
    expect(check.lacksPermissions).toBe(true)
    expect(check.forums).toEqual([
      { id: '1', name: 'Tea house', readers: 'nobody', roles: [] },
      { id: '2', name: 'Leaves & water', readers: 'nobody', roles: [] },
      { id: '3', name: 'Second & 茶', readers: 'nobody', roles: [] },
    ])
    expect(checkText(check).split('\n')[2]).toMatch(/^ATTENTION/)
    expect(check).toMatchObject({ fileBytes: 148, credits: [], duration: { posts: 20, hashes: 0 } })
  })
})

test('the rows of Discuz! X3.5 come with the credits of all members, and their forums are open', async () => {
  const check = await checked(await opened('discuz'))
  const inOpening = Object.fromEntries(
    ['lock within a lock', 'media', 'picture elsewhere', 'size', 'color', 'font', 'align', 'postbg', 'flash'].map((note) => [
      note,
      [1, 'Free part and price (2)'],
    ]),
  )
  expect(shapeOf(check)).toEqual({
    tags: [2, {}, {}],
    members: [2, {}, {}],
    threads: [3, {}, inOpening],
    comments: [5, {}, { 'removed, so that staff alone see it': [1, '3'] }],
    votes: [1, {}, {}],
  })
  expect(check.credits[1]).toEqual({
    id: '2',
    name: 'extcredits2',
    becomesPoints: false,
    holders: 2,
    debtors: 0,
    total: '15',
    smallest: '3',
    largest: '12',
  })
  expect(check.forums.map(({ name, readers }) => [name, readers])).toEqual([
    ['茶馆', 'everybody'],
    ['绿茶', 'everybody'],
  ])
  expect(check.staff).toEqual([{ name: 'admin', as: 'group 1' }])
  expect(check.texts).toContainEqual({ column: 'pre_forum_post.message', declared: 'utf8mb4', encoding: 'utf8' })
})

test('the rows of NodeBB 4.15.1 come, but for what its sets name and has no object', async () => {
  const lost = { 'part of another row, or without what it belongs to': [1] }
  expect(shapeOf(await checked(await opened('nodebb')))).toEqual({
    tags: [1, {}, {}],
    members: [2, lost, {}],
    threads: [1, lost, {}],
    comments: [4, {}, { 'removed, so that staff alone see it': [1, '5'] }],
    likes: [1, {}, {}],
    favourites: [1, {}, {}],
    follows: [2, {}, {}],
    messages: [1, {}, {}],
  })
})

const minSecret = 8

/** What the rows say that a check must not: texts of posts and messages, hashes and addresses. */
async function secretsIn(reader: Reader): Promise<string[]> {
  const marks = await reader.marks()
  const rowsOf = async <K extends Kind>(kind: K) => {
    const all: SourceRows[K][] = []
    for await (const { rows } of reader.rows[kind]({ after: null, since: null, upto: marks[kind] ?? '' })) all.push(...rows)
    return all
  }
  const posts = [...(await rowsOf('threads')).map(({ opening }) => opening), ...(await rowsOf('comments'))]
  const messages = await rowsOf('messages')
  const texts = [...posts, ...messages].flatMap(({ body }) =>
    [JSON.stringify(body.document).match(/"text":"([^"]+)"/g) ?? [], toText(body.document)].flat(),
  )
  const members = (await rowsOf('members')).flatMap(({ email, password }) => [email?.address, password?.hash, password?.salt])
  const all = [...texts.map((text) => text.replace(/^"text":"|"$/g, '')), ...messages.map(({ title }) => title), ...members]
  return all.filter((secret) => secret !== undefined && secret.length >= minSecret) as string[]
}

test.each(['phpbb', 'discuz', 'nodebb'] as const)('no text, address or hash of the rows of %s is in its check', async (program) => {
  const reader = await opened(program)
  const [check, secrets] = [await checked(reader), await secretsIn(reader)]
  expect(secrets.length).toBeGreaterThan(5)
  const said = `${JSON.stringify(check)}\n${checkText(check)}`
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([])
})

describe('a community', () => {
  const members = ['1', '2', '3'].map((id) => aSourceMember(id, `Member ${id}`))
  const colored = { ...bodyOf('text'), notes: ['color', 'unknown: swordfish'] }
  const closed = { ...(twoTags?.[1] as NonNullable<typeof twoTags>[number]), id: '3', readers: 'members' as const }

  test('has titles alone in samples that everybody may read', async () => {
    const opening = { body: colored }
    const threads = [
      aSourceThread('1', { title: 'Open title' }, opening),
      aSourceThread('2', { title: 'Deleted title' }, { ...opening, state: 'deleted' }),
      aSourceThread('3', { title: 'Waiting title' }, { ...opening, state: 'pending' }),
      aSourceThread('4', { title: 'Closed title', tagId: '3' }, opening),
    ]
    const message = { id: '9', authorId: '1', readerIds: ['2'], title: 'Private title', body: colored, sentAt: minute(0), isRead: true }
    const messages = [message, { ...message, id: '10', readerIds: ['77'] }]
    const check = await checked(aReader({ tags: [...(twoTags ?? []), closed], members, threads, messages }))
    expect(kindIn(check, 'threads')?.changed.find(({ why }) => why === 'color')?.samples).toEqual([
      { id: '1', name: 'Open title' },
      { id: '2', name: null },
      { id: '3', name: null },
      { id: '4', name: null },
    ])
    expect(kindIn(check, 'messages')).toMatchObject({
      coming: 1,
      leftOut: [{ why: 'message whose writer or readers did not come', count: 1, samples: [{ id: '10', name: '2021-01-01' }] }],
    })
    expect(JSON.stringify(check)).not.toMatch(/Deleted title|Waiting title|Closed title|Private title|swordfish/)
  })

  test('has five samples of each reason, and counts of all', async () => {
    const comments = Array.from({ length: 7 }, (_, number) => aSourceComment(`c${number}`, 'gone', number))
    const likes = [{ postId: 'opening-1', memberId: '8', at: null }]
    const check = await checked(aReader({ tags: twoTags ?? [], members, threads: [aSourceThread('1')], comments, likes }))
    expect(kindIn(check, 'comments')).toMatchObject({
      coming: 0,
      leftOut: [
        {
          why: 'comment of a thread that did not come',
          count: 7,
          samples: ['c0', 'c1', 'c2', 'c3', 'c4'].map((id) => ({ id, name: null })),
        },
      ],
    })
    expect(kindIn(check, 'likes')).toMatchObject({
      coming: 0,
      leftOut: [{ why: 'of a member who did not come', samples: [{ id: 'opening-1/8' }] }],
    })
  })

  test('has debts, groups with members, taken names, and passwords that are hashed once more', async () => {
    const here = await forum.member()
    const people = [
      aSourceMember('1', here.account, { credits: { p: -5n }, groups: [{ id: 'g', until: null }] }),
      aSourceMember('2', 'Bo', { credits: { p: 12n }, password: { family: 'discuz', hash: 'a'.repeat(32), salt: 'abcdef' } }),
      aSourceMember('3', 'BO', { email: { address: 'no address', isConfirmed: true } }),
    ]
    const groups = [
      { id: 'g', name: 'Guild', isBuiltIn: false, isStaff: false },
      { id: 's', name: 'Staff', isBuiltIn: false, isStaff: true },
    ]
    const tags = [
      ...(twoTags ?? []),
      { ...closed, name: 'Guild alone', readers: ['g'] },
      { ...closed, id: '4', name: 'Staff alone', readers: ['s'] },
    ]
    const check = await checked(aReader({ tags, groups, members: people }, { credits: [{ id: 'p', name: 'Leaves' }] }))
    expect(check.credits).toEqual([
      { id: 'p', name: 'Leaves', becomesPoints: true, holders: 2, debtors: 1, total: '7', smallest: '-5', largest: '12' },
    ])
    expect(check.groups).toEqual([{ id: 'g', name: 'Guild', members: 1, rights: [] }])
    expect(check.taken).toEqual([{ id: '1', name: here.account, why: 'name', free: `${here.account}-2` }])
    expect(check.duration).toMatchObject({ hashes: 1, hashSeconds: expect.any(Number) })
    expect(check.forums.slice(2)).toEqual([
      { id: '3', name: 'Guild alone', readers: 'roles', roles: ['Guild'] },
      { id: '4', name: 'Staff alone', readers: 'nobody', roles: [] },
    ])
    const reasons = kindIn(check, 'members')?.changed.map(({ why, count }) => [why, count])
    expect(reasons).toEqual([
      ['password of an unknown kind', 2],
      ['name that another member has', 1],
      ['e-mail address that is none', 1],
    ])
  })

  test('is sampled for some seconds where it is large, and says so', async () => {
    const reader = aReader({ tags: twoTags ?? [], members, threads: [aSourceThread('1')] })
    async function* endless() {
      for (let page = 0; ; page++) yield { rows: [aSourceComment(`${page}`, page % 2 ? '1' : 'gone', page)], cursor: `${page}` }
    }
    const large = {
      ...reader,
      count: async (kind: Kind) => (kind === 'comments' ? 1_000_000_000 : reader.count(kind)),
      rows: { ...reader.rows, comments: endless },
    }
    const check = await checked(large)
    const its = kindIn(check, 'comments')
    expect(its).toMatchObject({ isWhole: false, coming: expect.closeTo(500_000_000, -6) })
    expect(its?.read).toBeGreaterThan(1_000)
    expect(checkText(check)).toMatch(/comments +about [45]\d\d,\d{3},\d{3}, by the first [\d,]+ that were read/)
    expect(check.duration.seconds).toBeGreaterThan(0)
  })
})

describe('the page of staff', () => {
  test('has the last check of each program, and nothing of an import that was not', async () => {
    const check = await checked(aReader({ tags: twoTags ?? [], members: [aSourceMember('1', 'Ann')] }))
    await saveCheck(forum.database.app, check)
    await saveCheck(forum.database.app, { ...check, title: 'The same later' })
    const chief = await aStaffer(forum, ['site.maintain'])
    const { checks, imports } = await chief.call(importList, {})
    expect(checks).toEqual([{ at: expect.any(String), check: { ...check, title: 'The same later' } }])
    expect(imports).toEqual([])
  })

  test('is refused to visitors, members, and staff who do not maintain the site', async () => {
    const others = [forum.visitor(), await forum.member(), await aStaffer(forum, ['site.backup'])]
    for (const one of others) expect([401, 403]).toContain((await one.tryCall(importList, {})).status)
  })
})

test('every reason that the program gives has words', () => {
  const folders = ['body', 'check', 'write', 'phpbb', 'discuz', 'nodebb', 'discourse', 'flarum', 'diyhi'].map((name) =>
    join(import.meta.dirname, name),
  )
  const sources = folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.includes('.test.') ? [] : [readFileSync(join(folder, name), 'utf8')])),
  )
  const given = sources.flatMap((text) => [
    ...text.matchAll(/(?:note|leftOut|changed|add)\('([^' ]+ [^']+)'|why: '([^']+)'|notes(?: =|, |: |\)).*'([a-z]+ [a-z, ]+)'/g),
  ])
  const reasons = [...new Set(given.map(([, ...groups]) => groups.find(Boolean) ?? ''))].filter(
    (reason) => !['name', 'e-mail', 'everybody'].includes(reason),
  )
  expect(reasons.length).toBeGreaterThan(25)
  expect(reasons.filter((reason) => !reasonWords[reason])).toEqual([])
})
