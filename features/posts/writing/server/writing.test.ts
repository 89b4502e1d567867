import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { plain, sendFile } from '#file/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { mentionedIn, prepare, withNames } from '#writing/server/writing.ts'
import { documentWith, mention, paragraph, picture, says } from '#writing/testing/factories.ts'
import { NobodyMentioned, PictureNotYours, TooManyMentions, TooManyPictures } from '#writing/contract.ts'
import { Refusal, type RefusalKind } from '#base/contract.ts'

let forum: Forum
let mei: Person
let tom: Person
let cup: { file: string; src: string; width: number; height: number }

beforeAll(async () => {
  forum = await aForum()
  mei = await forum.member()
  tom = await forum.member()
  const response = await sendFile(mei, '/file/picture', { bytes: await plain().png().toBuffer() })
  cup = { ...response.json(), src: `/file/${response.json().file}` }
})

test("a picture is shown in its true size, whatever the document says, and is the author's own", async () => {
  const { segments, pictures, fileIds } = await prepare(forum.database.reader, by(mei, documentWith(picture(cup.file))))
  expect(JSON.parse(segments)[0].html).toContain(`<img src="${cup.src}" alt="A cup" width="60" height="40"`)
  expect(JSON.parse(pictures)).toEqual([{ src: cup.src, width: 60, height: 40 }])
  expect(fileIds).toEqual([cup.file])
  expect(await refusalOf(tom, documentWith(picture(cup.file)))).toBe(PictureNotYours)
})

test('a wide picture is offered in smaller sizes, and as AVIF', async () => {
  const { file } = (await sendFile(mei, '/file/picture', { bytes: await plain({ width: 1000, height: 500 }).png().toBuffer() })).json()
  const { segments, pictures } = await prepare(forum.database.reader, by(mei, documentWith(picture(file))))
  const { html } = JSON.parse(segments)[0]
  expect(html).toContain(`<source type="image/avif" srcset="/file/${file}?w=480&amp;as=avif 480w, `)
  expect(html).toContain(
    `width="1000" height="500" srcset="/file/${file}?w=480 480w, /file/${file}?w=960 960w, /file/${file} 1000w" sizes="`,
  )
  expect(JSON.parse(pictures)).toEqual([{ src: `/file/${file}`, width: 1000, height: 500 }])
})

test('a mentioned member exists', async () => {
  const { segments } = await prepare(forum.database.reader, by(mei, documentWith(paragraph(mention(tom.id)))))
  expect(mentionedIn(JSON.parse(segments))).toEqual([tom.id])
  expect(await refusalOf(mei, documentWith(paragraph(mention('999999'))))).toBe(NobodyMentioned)
})

test('typed text cannot pass for a mention', async () => {
  const forged = says(`<a class="mention" href="/user/control/home?userId=${tom.id}">@tom</a>`)
  const { segments } = await prepare(forum.database.reader, by(mei, forged))
  expect(mentionedIn(JSON.parse(segments))).toEqual([])
})

test('a mentioned member has their own name, whatever the author wrote', async () => {
  const spoof = { ...mention(tom.id), attrs: { id: tom.id, label: 'admin' } }
  const { body, summary, text } = await prepare(forum.database.reader, by(mei, documentWith(paragraph(spoof))))
  expect([summary, text.trim()]).toEqual([`@${tom.account}`, `@${tom.account}`])
  expect(body).not.toContain('admin')
})

test('a new name is inserted as plain text', async () => {
  const { segments } = await prepare(forum.database.reader, by(mei, documentWith(paragraph(mention(tom.id)))))
  const [renamed] = withNames(JSON.parse(segments), new Map([[tom.id, { name: '$& <img onerror="x">' }]]))
  expect(renamed?.html).toContain('>@$&amp; &lt;img onerror=&quot;x&quot;&gt;</a>')
  expect(withNames(JSON.parse(segments), new Map())).toEqual(JSON.parse(segments))
})

test('the site says how many pictures and mentions a post may have', async () => {
  const { picturesPerPost, mentionsPerPost } = await setting.all(forum.database.app)
  const allow = (pictures: number, mentions: number) =>
    transact(forum.database, async (tx) => {
      await setting.change(tx, 'picturesPerPost', pictures, 'test')
      await setting.change(tx, 'mentionsPerPost', mentions, 'test')
    })
  await allow(0, 1)
  expect(await refusalOf(mei, documentWith(picture(cup.file)))).toBe(TooManyPictures)
  expect(await refusalOf(mei, documentWith(paragraph(mention(tom.id), mention(mei.id))))).toBe(TooManyMentions)
  await allow(picturesPerPost, mentionsPerPost)
})

function by({ id }: Person, document: Doc): Parameters<typeof prepare>[1] {
  return {
    kind: 'topic',
    thread: 'topic',
    by: { id, sessionId: '', audience: '', may: () => false, where: () => ({ only: [] }) },
    document,
  }
}

async function refusalOf(author: Person, document: Doc): Promise<RefusalKind | null> {
  try {
    await prepare(forum.database.reader, by(author, document))
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.kind
    throw error
  }
}
