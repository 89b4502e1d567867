import { siteStates, type Endpoint, type Output } from '#base/contract.ts'
import { FunctionClosed, type baseInfo as baseInfoCall, type Settings, type Switch } from '#setting/contract.ts'
import { SiteClosed, SiteReadOnly } from '#base/server/http/route.ts'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import { logoSrc, type BrandPicture } from '#base/branding.ts'
import { plainTools, richTools } from '#base/editor-tools.ts'
import { catalogueName, languageNames, offeredLanguage } from '#base/language.ts'
import * as frame from '#frame/server/frame.ts'
import { hasModelCached } from '#setting/server/has-model.ts'
import { payableBy } from '#setting/server/payable-by.ts'
import { registrationMethods } from '#setting/server/code-channels.ts'
import { stored } from '#setting/server/stored.ts'

export { change, changeAll, lock, reset } from '#setting/server/change.ts'
export { crossCheck, crossCheckErrors, isSetNow, requiredBy, type SettingCheck } from '#setting/server/cross-checks.ts'
export { changeSealed, purgeUndecryptable, secretsSet, unsealed } from '#setting/server/sealed.ts'
export type { SettingForm } from '#setting/server/stored-form.ts'
export { hasModelOn } from '#setting/server/has-model.ts'
export { payableBy } from '#setting/server/payable-by.ts'
export { canSend, mayUseOutbox, registrationMethods, type CodeChannel } from '#setting/server/code-channels.ts'
export { current, currentWithin, stored, invalidSettings } from '#setting/server/stored.ts'

type Info = Output<typeof baseInfoCall>

const cached = cachedValue('setting', stored)

/** All settings; cached until one changes. */
export function all(db: Db): Promise<Settings> {
  return cached.of(db)
}

/** Refuses with "this function is closed" when staff have switched it off. Gives all settings, for what comes next. */
export async function mustBeOpen(db: Db, name: Switch): Promise<Settings> {
  const settings = await all(db)
  if (!settings[name]) throw FunctionClosed()
  return settings
}

/** Refuses calls of members on a closed site, and writes on a read-only one. */
export async function assertSiteOpen(db: Db, { availableWhile }: Pick<Endpoint, 'availableWhile'>, language: 'zh' | 'en'): Promise<void> {
  const settings = await all(db)
  const { siteState, closedTextZh, closedTextEn } = settings
  if (siteStates.indexOf(siteState) <= siteStates.indexOf(availableWhile)) return
  if (siteState === 'readOnly') throw SiteReadOnly()
  throw SiteClosed({ text: languageFor(language, settings) === 'zh' ? closedTextZh : closedTextEn })
}

/** The language of the response to a request for this one. */
export async function responseLanguage(db: Db, language: 'zh' | 'en'): Promise<'zh' | 'en'> {
  return languageFor(language, await all(db))
}

function languageFor(language: 'zh' | 'en', settings: Settings): 'zh' | 'en' {
  return catalogueName(offeredLanguage(language === 'zh' ? 'zh_CN' : 'en_US', settings))
}

/** Whether new content is accepted now; false on a read-only or closed site. */
export function isOpen(settings: Settings, name: Switch): boolean {
  return settings.siteState === 'open' && settings[name]
}

/** The same for all functions with a switch. */
export function openFunctions(settings: Settings): Info['open'] {
  const open = (name: Switch) => isOpen(settings, name)
  return {
    registrations: open('allowRegistrations') && registrationMethods(settings).length > 0,
    topics: open('allowTopics'),
    topicEdits: open('allowTopicEdits'),
    comments: open('allowComments'),
    replies: open('allowReplies'),
    questions: open('allowQuestions'),
    questionEdits: open('allowQuestionEdits'),
    answers: open('allowAnswers'),
    answerReplies: open('allowAnswerReplies'),
    likes: open('allowLikes'),
    messages: open('allowMessages'),
    redEnvelopes: open('allowRedEnvelopes'),
    reports: open('allowReports'),
    feedback: open('allowFeedback'),
    programs: settings.allowMcp,
    topUps: open('allowCash') && payableBy(settings).length > 0,
  }
}

type ViewerInfo = Pick<Info, 'systemUser' | 'seesAsVisitor'> & { mayChat: boolean }

/** Site information for every page. Fields that are empty by the specification stay so. */
export async function baseInfo(db: Db, publicUrl: string, { systemUser, seesAsVisitor, mayChat }: ViewerInfo): Promise<Info> {
  const [settings, around] = await Promise.all([all(db), frame.frameFor(db, systemUser ? 'members' : 'visitors')])
  const allowChat = mayChat && settings.allowAssistant && (await hasModelCached(db))
  return {
    baseURL: `${publicUrl}/`,
    baseURI: '/',
    commonPath: '/',
    contextPath: '',
    templateDir: '',
    apiUrl: '/api',
    title: settings.title,
    logo: settings.logo && { ...pictureView(settings.logo), onDark: settings.logoDark && pictureView(settings.logoDark) },
    keywords: settings.keywords,
    description: settings.description,
    fileStorageSystem: settings.fileStorageSystem,
    supportAccessDevice: settings.supportAccessDevice,
    defaultLanguage: settings.defaultLanguage && offeredLanguage(settings.defaultLanguage, settings),
    languageSwitching: Object.fromEntries(settings.languages.map((code) => [code, languageNames[code]])),
    weixin_oa_appid: '',
    transparentImage: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
    aiAssistantParameter: { allowChat },
    icpNumber: settings.icpNumber,
    policeNumber: settings.policeNumber,
    licence: settings.licence,
    systemUser,
    seesAsVisitor,
    siteState: settings.siteState,
    showsExcerpts: settings.listExcerpts,
    aiLabels: settings.aiLabels,
    registrationMode: settings.registrationMode,
    allowCash: settings.allowCash,
    timeZone: settings.timeZone,
    open: openFunctions(settings),
    frame: around,
    hiddenTools: {
      topic: without(richTools, settings.topicTools),
      comment: without(richTools, settings.commentTools),
      reply: without(plainTools, settings.replyTools),
    },
  }
}

function pictureView(picture: BrandPicture) {
  return { src: logoSrc(picture), width: picture.width, height: picture.height }
}

function without(all: readonly string[], excluded: readonly string[]): string[] {
  return all.filter((tool) => !excluded.includes(tool))
}
