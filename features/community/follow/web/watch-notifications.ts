import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { onMemberLogout } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import type { gatherNews } from '#follow/contract.ts'

const betweenMs = 60_000
let last = Number.NEGATIVE_INFINITY
onMemberLogout(() => (last = Number.NEGATIVE_INFINITY))

/** Requests notifications on arrival and periodically; the inbox's event stream delivers them. */
export function useWatchNotifications(): void {
  const api = useApi()
  const { pathname } = useLocation()
  useEffect(() => {
    if (performance.now() - last < betweenMs) return
    last = performance.now()
    api.write<typeof gatherNews>('/follow/gather', {}, { silent: true, background: true }).catch((error: unknown) => {
      console.info('Nobody could say what is new where one follows', error)
    })
  }, [api, pathname])
}
