import type { createBrowserRouter } from 'react-router'
import { endSession, member, type Me } from '#account/web/account.tsx'
import { currentWords } from '#apps/web/language.ts'
import type { CallPort } from '#base/web/api.ts'
import { showNoticeOnce } from '#base/web/dialogs.ts'
import { toast } from '#base/web/toast.tsx'
import { translatorFor } from '#base/web/words.tsx'
import { requestProof } from '#second-factor/web/second-factor.tsx'
import { site, topicDetailPermission } from '#setting/web/setting.tsx'

type Router = ReturnType<typeof createBrowserRouter>

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
    translate: (key, values) => translatorFor(currentWords.get())(`call.${key}`, values),
    onTopicPermission: topicDetailPermission.set,
    onSignedOut: endSession,
    onRenewed: (systemUser) => member.set(systemUser as Me),
  }
}

function pathOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search
}
