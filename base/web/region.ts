import { regionName } from '#base/region-name.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'

/** Says a region in the language of the page; nothing where it is not known. */
export function useRegion(): (region: string | null) => string {
  const words = useWords('region')
  const language = useLanguage()
  return (region) => (region === null ? '' : region === 'local' ? words('local') : regionName(region, language))
}

/** An address, and where it is as far as that is known. */
export function useAddress(): (at: { ip: string | null; region: string | null }) => string {
  const say = useRegion()
  return ({ ip, region }) => [ip, say(region)].filter(Boolean).join(' · ')
}
