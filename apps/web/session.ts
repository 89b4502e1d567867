import type { createBrowserRouter } from 'react-router'
import type { refreshToken } from '#account/contract.ts'
import { endSession, member, revokePending, currentAuthor, type Me } from '#account/web/account.tsx'
import { currentWords } from '#apps/web/language.ts'
import { faultIn } from '#apps/web/error-page.tsx'
import type { LoaderContext } from '#apps/web/loader-context.ts'
import type { LoaderArgs } from '#base/web/screen.ts'
import type { Api } from '#base/contract.ts'
import { onOtherTab, removePair, storedPair } from '#base/web/token.ts'
import type { baseInfo } from '#setting/contract.ts'
import { site, userInfoVersion, type Site } from '#setting/web/setting.tsx'

type Router = ReturnType<typeof createBrowserRouter>

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
