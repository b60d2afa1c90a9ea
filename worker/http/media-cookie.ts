/** Holds a person's newest ticket for one module's video, and is sent to that module's media only. */
export const MEDIA_COOKIE = 'adapt_media'
