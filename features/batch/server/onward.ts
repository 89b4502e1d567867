/** What goes on with large batches. Queues in the database bear this name. */
export const onward = { name: 'content-batch' }
