import type { Column } from '#base/admin/list-tools.tsx'
import { useRegion } from '#base/web/region.ts'
import { useWords } from '#base/web/words.tsx'

/** From where a row came, as far as its address tells; beside the address. */
export function useRegionColumn<Row>(regionIn: (row: Row) => string | null): Column<Row> {
  const words = useWords('region')
  const say = useRegion()
  const text = (row: Row) => say(regionIn(row))
  return { name: 'region', label: words('region'), show: text, text, isExtra: true }
}
