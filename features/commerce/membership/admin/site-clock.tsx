import type { ReactNode } from 'react'
import { ZoneProvider } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'

/** Orders with their times in the site's time zone, as payments have theirs, and a line that says so. */
export function SiteClock({ children }: { children: ReactNode }) {
  const words = useWords('membershipAdmin')
  const { timeZone } = useSite()
  return (
    <ZoneProvider zone={timeZone}>
      {children}
      <p className="meta">{words('zone', { zone: timeZone })}</p>
    </ZoneProvider>
  )
}
