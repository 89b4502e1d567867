import { useEffect, useState } from 'react'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'

const place = 'seen release'

/** A note after an upgrade that leads to what is new, until this browser has been there. The first version a browser meets is no news. */
export function NewReleaseNotice({ version }: { version: string }) {
  const words = useWords('maintenanceAdmin')
  const [seen] = useState(() => localStorage.getItem(place))
  useEffect(() => {
    if (seen === null) keepSeenRelease(version)
  }, [seen, version])
  if (seen === null || seen === version) return null
  return (
    <p className="note">
      {words('newRelease', { version })} <Link to="/admin/maintenance/release">{words('releases')}</Link>
    </p>
  )
}

export function keepSeenRelease(version: string): void {
  localStorage.setItem(place, version)
}
