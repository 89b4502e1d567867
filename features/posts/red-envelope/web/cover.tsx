import type { ReactNode } from 'react'
import type { EnvelopeView } from '#red-envelope/contract.ts'
import css from '#red-envelope/web/cover.module.css'

type CoverName = EnvelopeView['cover']

const drawings: Record<CoverName, ReactNode> = {
  lantern: (
    <>
      <path d="M36 14v10M28 24h16M28 58h16M36 58v12M33 70h6" />
      <path d="M29 24c-16 9-16 25 0 34M43 24c16 9 16 25 0 34M36 24v34M32 24c-6 9-6 25 0 34M40 24c6 9 6 25 0 34" />
    </>
  ),
  plum: (
    <>
      <path d="M12 76c12-8 14-22 26-30s16-18 20-30M34 50c8 2 14 0 20-6" />
      <path d="M26 30a5 5 0 1 1 6-6 5 5 0 1 1 6 6 5 5 0 1 1-3 7 5 5 0 1 1-7 0 5 5 0 1 1-2-7M50 52a4 4 0 1 1 4-5 4 4 0 1 1 5 5 4 4 0 1 1-3 6 4 4 0 1 1-5 0 4 4 0 1 1-1-6" />
    </>
  ),
  tea: (
    <>
      <path d="M18 44h30c0 14-5 22-15 22S18 58 18 44M48 47c9-2 10 12-2 11M14 72h38" />
      <path d="M26 36c-4-5 4-8 0-14M33 36c-4-5 4-8 0-14M40 36c-4-5 4-8 0-14" />
    </>
  ),
  cloud: (
    <>
      <path d="M12 36h34c8 0 8-12 0-12-1-9-15-10-17-1-8-2-11 7-5 9M22 40c-3 4 3 7 5 3" />
      <path d="M24 64h36c7 0 7-11-1-11-2-9-15-9-17 0-8-2-11 8-4 9" />
    </>
  ),
}

/** A drawn cover. It is decorative and hidden from screen readers. */
export function Cover({ of, isOpen = false }: { of: CoverName; isOpen?: boolean }) {
  return (
    <span className={css.cover} data-open={isOpen || undefined} aria-hidden="true">
      <svg viewBox="0 0 72 88" width="72" height="88">
        <rect className={css.paper} width="72" height="88" rx="8" />
        <g className={css.drawing} transform="translate(0 6)">
          {drawings[of]}
        </g>
        <path className={css.flap} d="M0 8a8 8 0 0 1 8-8h56a8 8 0 0 1 8 8c-12 9-24 12-36 12S12 17 0 8" />
      </svg>
    </span>
  )
}
