import { useRevalidator } from 'react-router'
import type { logout } from '#account/contract.ts'
import { ended, member, type Me } from '#account/web/member-here.ts'
import { useApi } from '#base/web/api.ts'
import { say } from '#base/web/toast.tsx'
import { removePair, storePair, type Pair } from '#base/web/token.ts'
import { useWords } from '#base/web/words.tsx'
import { userInfoVersion } from '#setting/web/setting.tsx'

/** Takes a login or a registration: the pair is stored, and base info asked again. */
export function signIn({ accessToken, refreshToken, systemUser }: Pair & { systemUser: Me }): void {
  storePair({ accessToken, refreshToken })
  member.set(systemUser)
  userInfoVersion.set(userInfoVersion.get() + 1)
}

export function useLogout(): () => Promise<void> {
  const api = useApi()
  const words = useWords('account')
  const { revalidate } = useRevalidator()
  return async () => {
    await api.write<typeof logout>('/account/logout', {})
    removePair()
    ended.set(null)
    member.set(null)
    userInfoVersion.set(userInfoVersion.get() + 1)
    say(words('loggedOut'))
    // What only members see must not stay on the page.
    await revalidate()
  }
}
