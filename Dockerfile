# The emulator and nothing else: the build bundles every dependency, so none is installed here.
ARG BASE_IMAGE=node:20-alpine

FROM ${BASE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Scripts stay off: `prepare` would build before the sources are here.
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.js

FROM ${BASE_IMAGE}
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY --from=build /build/examples examples
COPY --from=build /build/fixtures fixtures
# The user `node` of the official images, by number, so that any base image will do.
USER 1000:1000
EXPOSE 4300
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s \
  CMD ["node", "/app/bin/compute-emulator.js", "health"]
ENTRYPOINT ["node", "/app/bin/compute-emulator.js"]
# Inside a container every caller is from outside, under a name that only they know.
CMD ["start", "--host", "0.0.0.0", "--allow-host", "*"]
