import type { Column } from '#base/admin/column.tsx'
import { useRegion } from '#base/web/region.ts'
import { useWords } from '#base/web/words.tsx'

/** The region of a row's IP address, as far as known; follows the address column. */
export function useRegionColumn<Row>(regionIn: (row: Row) => string | null): Column<Row> {
  const words = useWords('region')
  const say = useRegion()
  const text = (row: Row) => say(regionIn(row))
  return { name: 'region', label: words('region'), text, isExtra: true }
}
