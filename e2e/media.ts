/** The project's own media, made by `npm run fixtures`. */
export const FIXTURES = 'local/media/fixtures'
