# The emulator as one executable, the libraries it needs, and nothing else: no shell, no Node, no npm.
# It is built by a Node from 24 on, which is then the one inside.
ARG BUILD_IMAGE=node:24-bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Scripts stay off: `prepare` would build before the sources are here.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build:binary \
  && mkdir -p /image/bin /image/licenses /empty \
  && cp build/compute-emulator /image/bin \
  && cp LICENSE LICENSES.md build/LICENSE.node /image/licenses \
  && ldd build/compute-emulator | grep -o '/[^ ]*' | xargs cp --parents --dereference -t /image

FROM scratch
COPY --from=build /image /
# Nobody in particular, by number: there is no list of users.
COPY --from=build --chown=65532:65532 /empty /data
COPY --from=build --chown=65532:65532 /empty /fixtures
USER 65532:65532
VOLUME ["/data", "/fixtures"]
EXPOSE 4300
# Inside a container every caller is from outside, under a name that only they know.
ENV COMPUTE_EMULATOR_HOST=0.0.0.0 \
  COMPUTE_EMULATOR_ALLOW_HOST=* \
  COMPUTE_EMULATOR_FIXTURES=/fixtures \
  COMPUTE_EMULATOR_DATA=/data
HEALTHCHECK --interval=5s --timeout=3s --start-period=5s CMD ["/bin/compute-emulator", "health"]
ENTRYPOINT ["/bin/compute-emulator"]
CMD ["start"]
