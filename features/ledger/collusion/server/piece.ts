/** The members who gave something in one piece of the work, and whether more pieces follow. */
export type Piece = { givers: string[]; isMore: boolean }
