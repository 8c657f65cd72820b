# Nuthatch in a container: docker build -t nuthatch . && docker run -p 127.0.0.1:8000:8000 -v nuthatch:/data nuthatch
FROM node:24-slim AS built
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /packed && mkdir /app && tar -xzf /packed/*.tgz --strip-components=1 -C /app
WORKDIR /app
# What runs has the versions of the lock file and no others. The client of PostgreSQL is nobody's who does not name it; here it is at hand.
RUN cp /source/package-lock.json . \
 && npm pkg set "dependencies.pg=$(node -p "require('./package.json').devDependencies.pg")" && npm pkg delete devDependencies scripts \
 && npm install --omit=dev --omit=peer --no-audit --no-fund \
 && node /source/docker/check-locked.mjs /source/package-lock.json node_modules

FROM node:24-slim
COPY --from=built /app/ /app/
COPY --chmod=755 docker/nuthatch.sh /usr/local/bin/nuthatch
# What is mounted there for the first time belongs to whom the folder belongs to.
RUN mkdir /data /bodies && chown node:node /data /bodies
USER node
WORKDIR /data
VOLUME /data
ENV NUTHATCH_DB=/data/nuthatch.db
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["nuthatch"]
CMD ["serve"]
