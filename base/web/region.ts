import { regionName } from '#base/region-name.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'

/** The name of a region in the page's language; empty if unknown. */
export function useRegion(): (region: string | null) => string {
  const words = useWords('region')
  const language = useLanguage()
  return (region) => (region === null ? '' : region === 'local' ? words('local') : regionName(region, language))
}

/** An IP address with its region, as far as known. */
export function useAddress(): (at: { ip: string | null; region: string | null }) => string {
  const say = useRegion()
  return ({ ip, region }) => [ip, say(region)].filter(Boolean).join(' · ')
}
