import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { ask } from '#question/server/ask.ts'
import { aDirectOne } from '#red-envelope/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'
import type { Site } from './site.ts'

export type ScreenVisit = {
  /** The address, if the path is a pattern. */
  at?: string
  /** Query strings; one visit each. */
  queries?: readonly string[]
  /** Logged in as the member with the most sample content. */
  isOwn?: boolean
  /** Waits for the content, if a heading is not enough. */
  shows?: (page: Page) => Promise<unknown>
  /** The screen shows an error response, which the browser's console reports. */
  complains?: boolean
}

const own: ScreenVisit = { isOwn: true }
const captcha: ScreenVisit = { shows: (page) => page.locator('.captcha').waitFor() }
const ownCaptcha: ScreenVisit = { ...own, ...captcha }

/** How to visit each screen of the members' site, by path. */
export async function screenVisits(site: Site): Promise<Record<string, ScreenVisit>> {
  const { tagId, topicId, ownTopicId, questionId, ownQuestionId, helpId, userId, cardId, paymentNumber, envelopeId } =
    await addContent(site)
  return {
    '/index': { queries: ['', `tagId=${tagId}`, 'sort=hot', 'featured=true'] },
    '/thread': { queries: [`topicId=${topicId}`, `topicId=${topicId}&onlyAuthor=true`] },
    '/askList': { queries: ['', 'state=resolved'] },
    '/question': { queries: [`questionId=${questionId}`] },
    '/search': { queries: ['keyword=茶'] },
    '/termsService': {},
    '/about': {},
    '/help': {},
    '/helpDetail': { queries: [`helpId=${helpId}`] },
    '/feedback': captcha,
    '/login': {},
    '/register': captcha,
    '/findPassWord/step1': {},
    '/findPassWord/step2': {},
    '/takeBack': {},
    '/thirdParty/loginRedirect': { complains: true },
    '/membershipCardList': {},
    '/membershipCard': { ...own, queries: [`membershipCardId=${cardId}`], shows: (page) => page.locator('dl').first().waitFor() },
    '/unsubscribe': { queries: [`token=${'x'.repeat(43)}`] },
    '/addTopic': own,
    '/addQuestion': own,
    '/user/editTopic': { ...own, queries: [`topicId=${ownTopicId}`] },
    '/user/editQuestion': { ...own, queries: [`questionId=${ownQuestionId}`] },
    '/user/control/home': { queries: [`userId=${userId}`] },
    ...each(['topicList', 'commentList', 'replyList'], { queries: [`userId=${userId}`] }),
    ...each(['questionList', 'answerList', 'answerReplyList', 'draftList', 'waitingList', 'deletedList', 'likeList', 'favoriteList'], own),
    ...each(['followList', 'followerList', 'blockList', 'userDynamicList', 'reportList', 'userLoginLogList'], own),
    ...each(['remindList', 'remindSettings', 'systemNotifyList', 'privateMessageList', 'invitations', 'hintQuestion'], own),
    ...each(['settings', 'security', 'password', 'signInMethods', 'passkeys', 'secondFactor', 'tokens', 'realNameAuthentication'], own),
    ...each(['preferences', 'personalData', 'leave', 'editUser'], own),
    ...each(['topicLikeList', 'topicFavoriteList'], { ...own, queries: [`topicId=${ownTopicId}`] }),
    ...each(['questionFavoriteList'], { ...own, queries: [`questionId=${ownQuestionId}`] }),
    ...each(['point', 'balance', 'membershipCardOrderList', 'giveRedEnvelopeList', 'receiveRedEnvelopeList', 'redEnvelope/add'], own),
    ...each(['redEnvelopeAmountDistributionList'], { ...own, queries: [`envelopeId=${envelopeId}`] }),
    '/user/control/payment': { ...own, queries: ['', `number=${paymentNumber}`] },
    '/payment/sandbox': { ...own, queries: [`number=${paymentNumber}`] },
    '/payment/wechat': { ...own, queries: [`number=${paymentNumber}`] },
    '/paymentCompleted/:interfaceProduct/:paymentModule/:parameterId': { ...own, at: `/paymentCompleted/sandbox/topUp/${paymentNumber}` },
    ...each(['topicUnhideList'], { ...own, queries: ['', 'view=unlocked'] }),
    ...each(['privateMessageChatList'], { ...own, queries: [`userId=${userId}`], shows: writes }),
    ...each(['phoneBinding', 'emailBinding'], ownCaptcha),
    ...each(['updatePhoneBinding/step1', 'updatePhoneBinding/step2', 'updateEmailBinding/step1', 'updateEmailBinding/step2'], own),
  }
}

function each(names: readonly string[], sight: ScreenVisit): Record<string, ScreenVisit> {
  return Object.fromEntries(names.map((name) => [`/user/control/${name}`, sight]))
}

function writes(page: Page): Promise<void> {
  return page.locator('form [contenteditable="true"]').waitFor()
}

/** Content that the sample lacks, and the ids of its parts. */
async function addContent(site: Site) {
  const { app } = site.database
  // Without a provider no address could be added.
  await site.change('emailProvider', 'outbox')
  await site.change('smsProvider', 'outbox')
  const member = async (account: string) =>
    (await app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
  const [laochen, azhe] = [await member('laochen'), await member('azhe')]
  const brewing = await app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()
  const question = { tagId: brewing.id, tagIds: [], title: '盖碗烫手怎么办', body: says('每次出汤都烫手。') }
  const envelopeId = await aDirectOne(site.database, laochen, '阿哲')
  const helpId = await site.write(async (tx) => {
    await ask(tx, { id: laochen, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }, question)
    const category = { name_zh: '新手上路', name_en: 'First steps' }
    const { id } = await tx.insertInto('help_category').values(category).returning('id').executeTakeFirstOrThrow()
    const page = { title_zh: '怎样发帖', title_en: 'How to post', body_zh: '点**发表**。', body_en: 'Press **Post**.' }
    const row = { ...page, category_id: id }
    return (await tx.insertInto('help_page').values(row).returning('id').executeTakeFirstOrThrow()).id
  })
  const paymentNumber = '20261127000000000001'
  const order = { number: paymentNumber, member_id: laochen, provider: 'sandbox', method: 'qr', cents: '1250' }
  const page = `/payment/sandbox?number=${paymentNumber}`
  const started = JSON.stringify({ go: 'qr', to: `http://localhost${page}` })
  await app
    .insertInto('payment_order')
    .values({ ...order, started, expires_at: sql`now() + interval '1 hour'` })
    .execute()
  const solvedQuestion = app.selectFrom('topic').select('id').where('kind', '=', 'question').where('is_resolved', '=', true).limit(1)
  return {
    tagId: brewing.id,
    topicId: await site.topic('一条 SQL'),
    ownTopicId: await site.topic('凤凰单丛'),
    questionId: (await solvedQuestion.executeTakeFirstOrThrow()).id,
    ownQuestionId: await site.topic('盖碗烫手'),
    helpId,
    userId: azhe,
    cardId: (await app.selectFrom('membership_card').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()).id,
    paymentNumber,
    envelopeId,
  }
}
