import { describe, expect, test } from 'vitest'
import { errorAnswer } from '#base/server/http/refuse.ts'
import { SiteClosed, SiteReadOnly } from '#base/server/http/route.ts'
import { aForum } from '#base/testing/forum.ts'
import { auditLog } from '#audit/contract.ts'
import { changePassword, login, logout, refreshToken, registerForm } from '#account/contract.ts'
import { addComment, myThread } from '#comment/contract.ts'
import { markRead } from '#comment/reading-contract.ts'
import { feedbackForm } from '#feedback/contract.ts'
import { fileKeys, fileKeysForStaff } from '#file/contract.ts'
import { plain, sendFile, show } from '#file/testing/factories.ts'
import { editSlot } from '#frame/contract.ts'
import { agreeToTerms } from '#help/contract.ts'
import { markAllRead, markRead as markNoticesRead } from '#notification/contract.ts'
import { thread } from '#topic/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'
import { baseInfo } from '#setting/contract.ts'
import { LanguageNotOffered } from '#setting/contract.ts'
import { allSettings, settings } from '#setting/staff-contract.ts'
import { changeSettings, listSettings, returnSetting, settingGroups, settingHistory } from '#setting/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import { prove } from '#staff/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const chief = await aStaffer(forum)

test('every setting stands in one group', () => {
  expect(Object.values(settingGroups).flat().toSorted()).toEqual(Object.keys(allSettings).toSorted())
})

test('a site prefers a language that it offers, and other languages are answered in one of those offered', async () => {
  const chinese = { 'accept-language': 'zh-CN' }
  const loginError = async () =>
    (await forum.visitor().tryCall(login, { account: 'nobody', password: 'wrong-wrong' }, chinese)).error['password']
  expect(await loginError()).toContain('密码')
  expect((await chief.tryCall(changeSettings, { languages: 'en_US' })).error).toHaveProperty('defaultLanguage')
  await chief.call(changeSettings, { languages: 'en_US', defaultLanguage: 'en_US' })
  expect(await loginError()).toContain('password')
  expect((await chief.tryCall(changeSettings, { defaultLanguage: 'zh_CN' })).error).toHaveProperty('defaultLanguage')
  expect(await chief.isRefused(returnSetting, { name: 'defaultLanguage' }, LanguageNotOffered)).toBe(true)
  await chief.call(returnSetting, { name: 'languages' })
  await chief.call(returnSetting, { name: 'defaultLanguage' })
})

test('a site may prefer no language, so that the reader’s browser decides', async () => {
  await chief.call(changeSettings, { defaultLanguage: '' })
  expect((await forum.visitor().call(baseInfo, {})).defaultLanguage).toBe('')
  await chief.call(changeSettings, { languages: 'en_US' })
  await chief.call(returnSetting, { name: 'languages' })
  await chief.call(returnSetting, { name: 'defaultLanguage' })
  expect((await forum.visitor().call(baseInfo, {})).defaultLanguage).toBe('zh_CN')
})

test('base info has the transparent picture, and says that there is no assistant', async () => {
  const { transparentImage, aiAssistantParameter } = await forum.visitor().call(baseInfo, {})
  const [, bytes = ''] = transparentImage.split('data:image/gif;base64,')
  const header = Buffer.from(bytes, 'base64')
  expect([header.toString('latin1', 0, 6), header.readUInt16LE(6), header.readUInt16LE(8)]).toEqual(['GIF89a', 1, 1])
  expect(aiAssistantParameter).toEqual({ allowChat: false })
})

describe('settings', () => {
  test('are changed together, apply at once, and have a history with staff, old and new values', async () => {
    await chief.call(changeSettings, { title: '老茶馆', topicsPerPage: 20, allowReplies: false })
    const info = await forum.visitor().call(baseInfo, {})
    expect(info).toMatchObject({ title: '老茶馆', open: { replies: false, comments: true } })
    const { changes } = await chief.call(settingHistory, { name: 'topicsPerPage' })
    expect(changes).toMatchObject([{ by: chief.account, before: 30, after: 20 }])
  })

  test('are refused at their fields, all of them, and none is changed', async () => {
    const { status, error } = await chief.tryCall(changeSettings, { title: '', topicsPerPage: 4, keywords: '茶' })
    expect(status).toBe(422)
    expect(Object.keys(error ?? {}).toSorted()).toEqual(['title', 'topicsPerPage'])
    expect(await valueOf('keywords')).toBe(settings.keywords.default)
  })

  test('that would leave files without storage, or close all registration, are refused at their fields', async () => {
    expect((await chief.tryCall(changeSettings, { fileStorageSystem: 20 })).error).toHaveProperty('fileStorageSystem')
    expect((await chief.tryCall(changeSettings, { reservedNames: 'root\n**' })).error).toHaveProperty('reservedNames')
    const { error } = await chief.tryCall(changeSettings, { attachmentKinds: 'pdf\nhtml', reservedNames: 'root\n(((((' })
    expect(error).toEqual({ attachmentKinds: expect.any(String), reservedNames: expect.stringContaining('letter') })
    expect((await chief.tryCall(changeSettings, { reservedNames: 'root\nstaff*', fileStorageSystem: 0 })).status).toBe(200)
    await chief.call(returnSetting, { name: 'reservedNames' })
  })

  test('know time zones by their names, and neither by distances from UTC nor by letters', async () => {
    for (const timeZone of ['Asia/Kolkata', 'Asia/Calcutta', 'UTC', 'America/Argentina/Ushuaia'])
      expect((await chief.tryCall(changeSettings, { timeZone })).status).toBe(200)
    for (const timeZone of ['', 'Mars/Olympus', '+08:00', 'Asia/Shanghai; drop', 'CST', 'EST', 'PRC'])
      expect((await chief.tryCall(changeSettings, { timeZone })).error).toHaveProperty('timeZone')
    await chief.call(returnSetting, { name: 'timeZone' })
  })

  test('have no invisible texts, and none that reverse their surroundings', async () => {
    const { error } = await chief.tryCall(changeSettings, { title: '\u2800\u2060', rejectReasons: '\u200b' })
    expect(Object.keys(error ?? {}).toSorted()).toEqual(['rejectReasons', 'title'])
    await chief.call(changeSettings, { title: 'Tea\u202e' })
    expect(await valueOf('title')).toBe('Tea')
    await chief.call(returnSetting, { name: 'title' })
  })

  test('say which languages readers may choose from, one at least', async () => {
    await chief.call(changeSettings, { languages: 'en_US', defaultLanguage: 'en_US' })
    const { defaultLanguage, languageSwitching } = await forum.visitor().call(baseInfo, {})
    expect([defaultLanguage, languageSwitching]).toEqual(['en_US', { en_US: 'English' }])
    expect((await chief.tryCall(changeSettings, { languages: '' })).error).toHaveProperty('languages')
    expect((await chief.tryCall(changeSettings, { languages: 'fr' })).error).toHaveProperty('languages')
    await chief.call(returnSetting, { name: 'languages' })
    await chief.call(returnSetting, { name: 'defaultLanguage' })
  })

  test('remove tools from the editors, and nothing from posts', async () => {
    await chief.call(changeSettings, { commentTools: 'bold\nlink', replyTools: '' })
    const { hiddenTools } = await forum.visitor().call(baseInfo, {})
    expect(hiddenTools.topic).toEqual([])
    expect(hiddenTools.comment).toContain('table')
    expect(hiddenTools.comment).not.toContain('bold')
    expect(hiddenTools.reply).toContain('picture')
    const mei = await forum.member()
    const topicId = await aTopic(mei, await aTag(forum.database))
    const italic = documentWith(paragraph({ type: 'text', text: 'Still', marks: [{ type: 'italic' }] }))
    expect((await mei.call(addComment, { topicId, body: italic })).floor).toBe(1)
    await chief.call(returnSetting, { name: 'commentTools' })
  })

  test('that are lists come as lines, and may become empty', async () => {
    await chief.call(changeSettings, { hotSearchWords: '普洱\n\n pinyin \n' })
    expect(await valueOf('hotSearchWords')).toEqual(['普洱', 'pinyin'])
    await chief.call(changeSettings, { hotSearchWords: '[1]' })
    expect(await valueOf('hotSearchWords')).toEqual(['[1]'])
    await chief.call(changeSettings, { hotSearchWords: '' })
    expect(await valueOf('hotSearchWords')).toEqual([])
  })

  test('that are lists come from programs as lists', async () => {
    const headers = () => ({ ...chief.headers('POST'), 'content-type': 'application/json' })
    const send = (payload: object) => forum.app.inject({ method: 'POST', url: '/api/admin/setting/change', headers: headers(), payload })
    expect((await send({ hotSearchWords: ['白茶'] })).statusCode).toBe(200)
    expect(await valueOf('hotSearchWords')).toEqual(['白茶'])
    expect((await send({ hotSearchWords: [1] })).statusCode).toBe(422)
    expect((await send({ hotSearchWords: [] })).statusCode).toBe(200)
    expect(await valueOf('hotSearchWords')).toEqual([])
  })

  test('can be returned to their default', async () => {
    await chief.call(changeSettings, { commentsPerPage: 50 })
    await chief.call(returnSetting, { name: 'commentsPerPage' })
    expect(await valueOf('commentsPerPage')).toBe(30)
    const { settings: all } = await chief.call(listSettings, {})
    expect(all.find(({ name }) => name === 'commentsPerPage')?.changed).toBe(null)
    expect((await chief.tryCall(returnSetting, { name: 'nothing' })).status).toBe(404)
  })
})

describe('settings with several editors', () => {
  test('changed by others since they were read are not overwritten', async () => {
    const other = await aStaffer(forum, ['setting.view', 'setting.change'])
    const seenAt = new Date(Date.now() - 1000).toISOString()
    await other.call(changeSettings, { description: '别人写的' })
    const { status, error } = await chief.tryCall(changeSettings, { description: '我写的', seenAt })
    expect({ status, ...error }).toEqual({ status: 409, version: expect.stringContaining(other.account) })
    expect(await valueOf('description')).toBe('别人写的')
    expect((await other.tryCall(changeSettings, { keywords: '茶', seenAt })).status).toBe(200)
  })

  test('sent unchanged keep the changes of others', async () => {
    const other = await aStaffer(forum, ['setting.view', 'setting.change'])
    await chief.call(changeSettings, { commentsPerPage: 40, policeNumber: '1' })
    const { readAt: seenAt } = await chief.call(listSettings, {})
    await other.call(changeSettings, { commentsPerPage: 50 })
    await other.call(changeSettings, { commentsPerPage: 60 })
    await chief.call(changeSettings, { commentsPerPage: 40, policeNumber: '2', seenAt })
    expect([await valueOf('commentsPerPage'), await valueOf('policeNumber')]).toEqual([60, '2'])
    await other.call(returnSetting, { name: 'commentsPerPage' })
    expect((await chief.tryCall(changeSettings, { commentsPerPage: 45, seenAt })).status).toBe(409)
    expect(await valueOf('commentsPerPage')).toBe(30)
  })

  test('changed by others since they were read do not return to their default', async () => {
    const other = await aStaffer(forum, ['setting.view', 'setting.change'])
    await chief.call(changeSettings, { commentsPerPage: 40 })
    const { readAt: seenAt } = await chief.call(listSettings, {})
    await other.call(changeSettings, { commentsPerPage: 50 })
    const { status, error } = await chief.tryCall(returnSetting, { name: 'commentsPerPage', seenAt })
    expect({ status, ...error }).toEqual({ status: 409, version: expect.stringContaining(other.account) })
    expect(await valueOf('commentsPerPage')).toBe(50)
    await chief.call(returnSetting, { name: 'commentsPerPage' })
    const noted = async () => (await chief.call(auditLog, { about: 'setting commentsPerPage' })).rows.length
    const before = await noted()
    await chief.call(returnSetting, { name: 'commentsPerPage' })
    expect(await noted()).toBe(before)
  })

  test('that are secret can be set and removed, and are shown in no list, history or log', async () => {
    const secret = 'ABCtoken123'
    await chief.call(changeSettings, { baiduToken: secret })
    await chief.call(changeSettings, { baiduToken: '', indexNowKey: '' })
    const responses = [
      await chief.call(listSettings, {}),
      await chief.call(settingHistory, { name: 'baiduToken' }),
      await chief.call(auditLog, { about: 'setting baiduToken' }),
    ]
    expect(JSON.stringify(responses)).not.toContain(secret)
    expect(responses[0]).toMatchObject({ settings: expect.arrayContaining([expect.objectContaining({ name: 'baiduToken', isSet: true })]) })
    expect(responses[1]).toMatchObject({ changes: [{ by: chief.account }] })
    expect(await setting.unsealed(forum.database.app, 'baiduToken')).toBe(secret)
    const { value, sealed } = await forum.database.app
      .selectFrom('setting')
      .select(['value', 'sealed'])
      .where('name', '=', 'baiduToken')
      .executeTakeFirstOrThrow()
    expect([value, sealed?.includes(secret)]).toEqual([true, false])
    await expect(setting.unsealed(forum.database.reader, 'baiduToken')).rejects.toThrow('permission denied')
    expect(JSON.stringify(await setting.all(forum.database.app))).not.toContain('baiduToken')
    await chief.call(returnSetting, { name: 'baiduToken' })
    expect(await setting.unsealed(forum.database.app, 'baiduToken')).toBe('')
    expect(JSON.stringify(await chief.call(auditLog, { about: 'setting baiduToken' }))).not.toContain(secret)
  })

  test('are changed only by staff with the right', async () => {
    const reader = await aStaffer(forum, ['setting.view'])
    expect((await reader.tryCall(listSettings, {})).status).toBe(200)
    expect((await reader.tryCall(changeSettings, { title: '别的' })).status).toBe(403)
  })
})

describe('to change', () => {
  async function provedAgo(minutes: number) {
    const late = await aStaffer(forum, ['setting.change', 'frame.manage'])
    const past = new Date(Date.now() - minutes * 60_000)
    await forum.database.app.updateTable('staff_session').set({ proved_at: past }).where('staff_id', '=', late.id).execute()
    return late
  }

  test('the frame of every page, or the security of the forum, takes a proof of the password within ten minutes', async () => {
    const late = await provedAgo(11)
    const actions = [
      () => late.tryCall(changeSettings, { siteState: 'readOnly', keywords: '壶' }),
      () => late.tryCall(returnSetting, { name: 'siteState' }),
      () => late.tryCall(changeSettings, { allowRegistrations: false }),
      () => late.tryCall(changeSettings, { baiduToken: 'abc' }),
      () => late.tryCall(editSlot, { place: 'belowHeader', zh: '', en: '', isOn: false, version: 0 }),
    ]
    for (const action of actions) expect((await action()).status).toBe(428)
    expect(await valueOf('keywords')).not.toBe('壶')
    // A form sends its whole group; unchanged values need no recent login.
    expect((await late.tryCall(changeSettings, { siteState: 'open', staffSecondFactor: false, keywords: '盖碗' })).status).toBe(200)
    await late.call(prove, { password: late.password })
    for (const action of actions) expect((await action()).status).toBe(200)
    for (const name of ['allowRegistrations', 'baiduToken', 'keywords']) await late.call(returnSetting, { name })
  })

  test('any other setting takes one within the hour', async () => {
    const [late, tooLate] = [await provedAgo(59), await provedAgo(61)]
    const actions = [
      (who: Staffer) => who.tryCall(changeSettings, { keywords: '壶' }),
      (who: Staffer) => who.tryCall(returnSetting, { name: 'keywords' }),
    ]
    for (const action of actions) expect((await action(tooLate)).status).toBe(428)
    for (const action of actions) expect((await action(late)).status).toBe(200)
  })
})

describe('a site', () => {
  const page = (language: string) => forum.app.inject({ url: '/api/topic/hot', headers: { 'accept-language': language } })

  test('that is read-only takes nothing new from members, who can still read and log in', async () => {
    const mei = await forum.member('mei')
    await chief.call(changeSettings, { siteState: 'readOnly' })
    expect(await mei.call(baseInfo, {})).toMatchObject({
      siteState: 'readOnly',
      open: { topics: false, comments: false, registrations: false },
    })
    expect(await mei.isRefused(addComment, { topicId: '1', body: says('说一句') }, SiteReadOnly)).toBe(true)
    expect((await page('zh')).statusCode).toBe(200)
    expect((await forum.visitor().tryCall(login, { account: 'nobody_at_all', password: 'a-wrong-password' })).error).toHaveProperty(
      'password',
    )
    await chief.call(changeSettings, { siteState: 'open' })
  })

  test('that is read-only offers nothing that it would refuse', async () => {
    await chief.call(changeSettings, { allowReplies: true })
    const mei = await forum.member()
    const topicId = await aTopic(mei, await aTag(forum.database))
    const { commentId } = await mei.call(addComment, { topicId, body: says('先说一句') })
    const offered = async () => {
      const { can, comments } = await mei.call(myThread, { topicId, commentIds: [commentId] })
      return { ...can, comments, takesComments: (await forum.visitor().call(thread, { topicId })).takesComments }
    }
    const all = { edit: true, remove: true, comment: true, reply: true, takesComments: true }
    const own = { edit: [commentId], remove: [commentId] }
    expect(await offered()).toEqual({ ...all, comments: own })
    await chief.call(changeSettings, { siteState: 'readOnly' })
    const none = { edit: false, remove: false, comment: false, reply: false, takesComments: false }
    expect(await offered()).toEqual({ ...none, comments: { edit: [], remove: [] } })
    for (const form of [registerForm, feedbackForm]) expect((await forum.visitor().call(form, {})).isOpen).toBe(false)
    await chief.call(changeSettings, { siteState: 'open', allowComments: false, allowTopicEdits: false })
    expect(await offered()).toEqual({ ...all, edit: false, comment: false, takesComments: false, comments: { ...own, edit: [] } })
    await chief.call(changeSettings, { allowComments: true, allowTopicEdits: true })
  })

  test('that is read-only still stores read marks and agreements, and lets a member change a password', async () => {
    const lin = await forum.member()
    const topicId = await aTopic(lin, await aTag(forum.database))
    await chief.call(changeSettings, { siteState: 'readOnly' })
    const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
    const answers = [
      await lin.tryCall(markRead, { topicId, floor: 0 }),
      await lin.tryCall(markAllRead, {}),
      await lin.tryCall(markNoticesRead, { noticeIds: ['1'] }),
      await lin.tryCall(agreeToTerms, { termsId: '1' }),
      await lin.tryCall(changePassword, { oldPassword: lin.password, ...next }),
      await lin.tryCall(logout, {}),
    ]
    expect(answers.map(({ error, status }) => [error, status === 422])).toEqual(answers.map(() => [{}, false]))
    await chief.call(changeSettings, { siteState: 'open' })
  })

  test('that is closed hands out nothing to anybody, for an hour at least, and keeps sessions', async () => {
    const wen = await forum.member()
    const topicId = await aTopic(wen, await aTag(forum.database))
    const { file } = (await sendFile(wen, '/file/picture', { bytes: await plain().png().toBuffer() })).json()
    await show(forum.database.app, file, wen.id)
    expect((await forum.app.inject(`/file/${file}`)).statusCode).toBe(200)
    const own = (await wen.call(fileKeys, { files: [file] })).keys[0]?.key ?? ''
    await chief.call(changeSettings, { siteState: 'closed' })
    const theirs = (await chief.call(fileKeysForStaff, { files: [file] })).keys[0]?.key ?? ''
    expect((await forum.app.inject(`/file/${file}?key=${theirs}`)).statusCode).toBe(200)
    const news = `/api/comment/news?topicId=${topicId}`
    for (const url of [
      '/feed',
      `/feed?userId=${wen.id}`,
      '/sitemap.xml',
      '/sitemap/pages.xml',
      '/llms.txt',
      `/share/${topicId}.png`,
      news,
      '/api/topic/hot',
      `/file/${file}`,
      `/file/${file}?key=${own}`,
    ]) {
      const { statusCode, headers } = await forum.app.inject({ url, headers: { host: 'tea.example.org' } })
      expect([url, statusCode, headers['retry-after']]).toEqual([url, 503, '3600'])
    }
    expect(errorAnswer(SiteClosed({ text: '' }), 'en', 'GET').isOurFault).toBe(false)
    const { accessToken, refreshToken: next } = await wen.call(refreshToken, {})
    wen.pair = { accessToken: accessToken ?? '', refreshToken: next ?? '' }
    await wen.call(logout, {})
    await chief.call(changeSettings, { siteState: 'open' })
    expect((await forum.app.inject({ url: '/feed', headers: { host: 'tea.example.org' } })).statusCode).toBe(200)
  })

  test('that is closed says why in either language, and staff work on', async () => {
    await chief.call(changeSettings, { siteState: 'closed', closedTextZh: '搬家中', closedTextEn: 'Moving house' })
    const [zh, en] = [await page('zh'), await page('en')]
    expect([zh.statusCode, zh.body, en.statusCode, en.body]).toEqual([503, '搬家中', 503, 'Moving house'])
    expect((await chief.tryCall(listSettings, {})).status).toBe(200)
    expect((await forum.visitor().tryCall(baseInfo, {})).status).toBe(200)
    await chief.call(changeSettings, { siteState: 'open' })
    expect((await page('zh')).statusCode).toBe(200)
  })
})

async function valueOf(settingName: string): Promise<unknown> {
  const { settings: all } = await chief.call(listSettings, {})
  return all.find(({ name }) => name === settingName)?.value
}
