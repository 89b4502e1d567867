import { useRevalidator } from 'react-router'
import { endedMember, member, type Me } from '#account/web/current-member.ts'
import { revoke } from '#account/web/revoke.ts'
import { useApi } from '#base/web/api.ts'
import { toast } from '#base/web/toast.tsx'
import { removePair, storedPair, storePair, type TokenPair } from '#base/web/token.ts'
import { useWords } from '#base/web/words.tsx'
import { userInfoVersion } from '#setting/web/setting.tsx'

/** Completes a login or registration: stores the pair and reloads base info. */
export function signIn({ accessToken, refreshToken, systemUser }: TokenPair & { systemUser: Me }): void {
  storePair({ accessToken, refreshToken })
  member.set(systemUser)
  userInfoVersion.set(userInfoVersion.get() + 1)
}

export function useLogout(): () => Promise<void> {
  const api = useApi()
  const words = useWords('account')
  const { revalidate } = useRevalidator()
  return async () => {
    const pair = storedPair()
    // First, so that the logout holds even if the rest fails.
    removePair()
    endedMember.set(null)
    member.set(null)
    userInfoVersion.set(userInfoVersion.get() + 1)
    toast(words('loggedOut'))
    const isTold = pair ? revoke(api, pair.refreshToken) : Promise.resolve(true)
    // Content for members must not stay on the page.
    await revalidate()
    if (!(await isTold)) toast(words('notToldYet'))
  }
}
