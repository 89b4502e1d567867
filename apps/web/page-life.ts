import type { createBrowserRouter } from 'react-router'
import type { refreshToken } from '#account/contract.ts'
import { endSession, member, revokePending, currentAuthor, type Me } from '#account/web/account.tsx'
import { currentWords } from '#apps/web/language.ts'
import { faultIn } from '#apps/web/error-page.tsx'
import type { LoaderContext } from '#apps/web/loader-context.ts'
import { headOf } from '#apps/web/routes.tsx'
import type { LoaderArgs, Screen } from '#base/web/screen.ts'
import type { Api } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import type { CallPort } from '#base/web/api.ts'
import { setSrcLookup } from '#base/editor/picture-src.ts'
import { tabName } from '#base/editor/draft-tab.ts'
import { isDrafting } from '#base/editor/drafting.ts'
import { showNoticeOnce } from '#base/web/dialogs.ts'
import { contentId, focusNext } from '#base/web/focus-later.ts'
import { idlePart, later } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import { onOtherTab, removePair, storedPair } from '#base/web/token.ts'
import { translatorFor } from '#base/web/words.tsx'
import type { baseInfo } from '#setting/contract.ts'
import { requestProof } from '#second-factor/web/second-factor.tsx'
import { site, topicDetailPermission, userInfoVersion, type Site } from '#setting/web/setting.tsx'
import type { addPageView } from '#statistic/contract.ts'

type Router = ReturnType<typeof createBrowserRouter>

type PageLocation = { pathname: string; search: string }

const pathOf = ({ pathname, search }: PageLocation) => pathname + search
// A provider's query parameters are secret, and excluded from page views.
const trackedPath = (at: PageLocation) => (at.pathname.startsWith('/thirdParty/') ? at.pathname : pathOf(at))

/** The page's part of API calls. The router is created after the API, so it is passed as a function. */
export function callPort(router: () => Router): CallPort {
  return {
    apiUrl: () => site.get()?.apiUrl ?? '/api',
    language: () => (currentWords.get().language === 'zh' ? 'zh_CN' : 'en_US'),
    // During a navigation the login returns to the page being opened.
    currentPath: () => pathOf(router().state.navigation.location ?? location),
    navigate: (to, { replace }) => void router().navigate(to, { replace, state: { from: location.pathname + location.search } }),
    toast,
    showNotice: showNoticeOnce,
    reauthenticate: requestProof,
    translate: (key, values) => translate(`call.${key}`, values),
    onTopicPermission: topicDetailPermission.set,
    onSignedOut: endSession,
    onRenewed: (systemUser) => member.set(systemUser as Me),
  }
}

/** The context of page loaders. A retry of a missing page fails silently. */
export function pagesContext(api: Api, router: () => Router): LoaderContext {
  function isMissing(): boolean {
    const { errors, revalidation } = router().state
    return revalidation === 'loading' && faultIn(errors) === 'missing'
  }
  return {
    api: { ...api, read: (path, input, options) => api.read(path, input, isMissing() ? { ...options, silent: true } : options) },
    isMember: () => Boolean(member.get() === undefined ? storedPair() : member.get()),
    language: () => currentWords.get().language,
    isMissing,
    shown: () => shown,
  }
}

let shown: LoaderArgs['shown'] = null

/**
 * Requests base info at the start, whenever `userInfoVersion` changes, and when another tab logs in or out; then
 * reloads the member's own data.
 */
export function watchSession(api: Api, router: Router, { isFrame }: { isFrame: boolean }): void {
  const { language } = currentWords.get()
  async function loadSession(): Promise<void> {
    const before = member.get()
    const info = await api.read<typeof baseInfo>('/baseInfo', {}, { silent: true })
    const known = site.get() ?? (router.state.loaderData['site'] as Site)
    // The same object, if nothing has changed: the page is not rendered again.
    site.set(JSON.stringify(info) === JSON.stringify(known) ? known : info)
    // The member may have logged out in the meantime.
    const me = storedPair() ? (info.systemUser ?? (await renewSession(api))) : null
    if (me) member.set(me)
    else endSession()
    // A page that the browser rendered was rendered for the member already.
    const isShownSo = before === undefined && isFrame
    // The visitor's version of the page would discard the text being written.
    const isWriting = me === null && currentAuthor() !== null
    if (me?.userId === before?.userId || isShownSo || isWriting) return
    const isShownAlike = before === undefined && info.systemUser !== null && info.seesAsVisitor
    shown = isShownAlike && language === currentWords.get().language ? router.state.loaderData : null
    await router.revalidate().finally(() => (shown = null))
  }
  member.watch(() => document.documentElement.toggleAttribute('data-member', Boolean(member.get())))
  const learnOrTell = () => void loadSession().catch(() => member.get() === undefined && member.set(null))
  learnOrTell()
  let version = userInfoVersion.get()
  userInfoVersion.watch(() => {
    if (userInfoVersion.get() === version) return
    version = userInfoVersion.get()
    learnOrTell()
  })
  onOtherTab(() => {
    if (!storedPair()) logOutLocally(router)
    learnOrTell()
  })
}

// Another tab logged out: this one is logged out too, whether the site responds or not.
function logOutLocally(router: Router): void {
  const was = member.get()
  endSession()
  if (was && currentAuthor() === null) void router.revalidate()
}

// A token is stored, but the site does not accept it: it has expired or was revoked.
async function renewSession(api: Api): Promise<Me | null> {
  const { accessToken, systemUser } = await api.write<typeof refreshToken>('/refreshToken', {}, { silent: true })
  if (!accessToken) removePair()
  return systemUser
}

/** Retries logouts that the site did not answer. */
export function retryRevocations(api: Api): void {
  const tell = () => void revokePending(api)
  tell()
  addEventListener('online', tell)
}

/** Loads the parts for members: restricted pictures, the outbox of messages, and the syncing of drafts once one is written. */
export function loadForMembers(api: Api): void {
  // Before the browser can copy it to a duplicated tab.
  tabName()
  const isMember = () => Boolean(member.get())
  const stop = member.watch(() => {
    if (!isMember()) return
    stop()
    const files = idlePart(import('#file/web/private-files.ts')).then(({ openPrivateFiles }) => openPrivateFiles(api, isMember))
    setSrcLookup(files)
    files.catch((error: unknown) => console.info('Pictures for few stay hidden', error))
    syncDraftsLater(api)
    idlePart(import('#message/web/send-out.ts')).then(
      ({ startOutbox }) => startOutbox(api),
      (error: unknown) => console.info('Messages wait for another page', error),
    )
  })
}

function syncDraftsLater(api: Api): void {
  let isComing = false
  function bring(): void {
    if (isComing || !isDrafting.get()) return
    isComing = true
    later(import('#draft/web/start-draft-sync.ts')).then(
      ({ startDraftSync }) => startDraftSync(api),
      (error: unknown) => console.info('Drafts stay on this device', error),
    )
  }
  isDrafting.watch(bring)
  bring()
}

/** The current and the next path: recorded by the navigation guard, which always permits. */
export const visitedPaths = { previous: '', target: '' }

/** After each navigation: updates the path and the title, and sends a page view silently. */
export function trackNavigation(api: Api, router: Router): void {
  visitedPaths.target = trackedPath(location)
  sendPageView(api, document.referrer)
  router.subscribe(({ navigation, location: at, loaderData, matches, errors }) => {
    if (navigation.state !== 'idle') return
    setTitle(matches.at(-1)?.route, loaderData, errors)
    const path = trackedPath(at)
    if (path === visitedPaths.target) return
    visitedPaths.previous = visitedPaths.target
    visitedPaths.target = path
    sendPageView(api, visitedPaths.previous === '/' ? '' : location.origin + visitedPaths.previous)
    // The focused link went with its page, and focus would return to the header.
    focusNext(`#${contentId}`)
  })
  currentWords.watch(() => setTitle(router.state.matches.at(-1)?.route, router.state.loaderData, router.state.errors))
}

function sendPageView(api: Api, referrer: string): void {
  api
    .read<typeof addPageView>('/statistic/add', { url: trackedPath(location), referrer: referrer.slice(0, 2000) }, { silent: true })
    .catch((error: unknown) => {
      console.info('The page view was not counted', error)
    })
}

function setTitle(
  route: { id: string; handle?: Screen } | undefined,
  loaderData: Record<string, unknown>,
  errors: Record<string, unknown> | null,
): void {
  const { language } = currentWords.get()
  const fault = faultIn(errors)
  const title = fault ? translate(`site.${fault}Title`) : headOf(route?.handle, route && loaderData[route.id], language, translate).title
  const siteTitle = (site.get() ?? (loaderData['site'] as Site | undefined))?.title ?? ''
  document.title = title ? `${isolate(title)} - ${isolate(siteTitle)}` : siteTitle
}

function translate(key: string, values?: Record<string, string | number>): string {
  return translatorFor(currentWords.get())(key, values)
}
