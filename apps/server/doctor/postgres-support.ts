import { ok, warn, type Finding } from '#apps/server/doctor/finding.ts'

/** When the community of PostgreSQL ends each version. */
const ends: Record<string, string> = { 15: '2027-11-11', 16: '2028-11-09', 17: '2029-11-08', 18: '2030-11-14' }
const noticeMs = 90 * 86_400_000

/** Whether a version still gets corrections, and will for some months. */
export function supportOf(version: number, now: number): Finding {
  const end = ends[version]
  if (end === undefined || Date.parse(end) - now > noticeMs) return ok('postgresSupported', { version })
  return warn('postgresEnding', { version, end })
}
