/** Who gave something in the transactions or likes of one transaction of the job, and whether there are more of these. */
export type Piece = { givers: string[]; isMore: boolean }
