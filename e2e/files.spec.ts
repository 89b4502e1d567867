import { expect, test } from 'vitest'
import { transact } from '#base/server/database.ts'
import { plain } from '#file/server/example.ts'
import * as file from '#file/server/file.ts'
import { aClosedTag } from '#tag/server/example.ts'
import * as topics from '#topic/server/publish.ts'
import { documentWith, picture } from '#writing/server/example.ts'
import { aSite } from './site.ts'

const site = await aSite()
const { database } = site

test('a picture of a closed tag is shown to its readers, in the thread and in the list, and to nobody else', async () => {
  const { tagId, admit } = await aClosedTag(database)
  const azhe = await idOf('azhe')
  await admit(azhe)
  const { topicId, fileId } = await aPictureIn(tagId, azhe)

  const { page } = await site.visit({ as: 'azhe', language: 'en' })
  await page.goto(`/thread?topicId=${topicId}`)
  const shown = page.locator(`main img[src^="/file/${fileId}?key="]`)
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await page.goto(`/index?tagId=${tagId}`)
  const small = page.locator(`main img[src*="${fileId}"][src*="key="]`)
  await expect.poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240)

  const { page: others } = await site.visit()
  expect((await others.request.get(`/file/${fileId}`)).status()).toBe(404)
})

async function idOf(account: string): Promise<string> {
  return (await database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}

async function aPictureIn(tagId: string, authorId: string): Promise<{ topicId: string; fileId: string }> {
  const bytes = await plain({ width: 900, height: 600 }).jpeg().toBuffer()
  const author = { id: authorId, sessionId: '', sees: '', may: () => true, where: () => ({ except: [] }) }
  return transact(database, async (tx) => {
    const kept = await file.keep(tx, { bytes }, { kilobytes: 1000 })
    await file.add(tx, authorId, kept)
    const { topicId } = await topics.publish(tx, author, { tagId, title: 'Behind the curtain', body: documentWith(picture(kept.id)) })
    return { topicId, fileId: kept.id }
  })
}
