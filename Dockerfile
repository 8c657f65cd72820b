# Nuthatch in a container: docker build -t nuthatch . && docker run -p 127.0.0.1:8000:8000 -v nuthatch:/data nuthatch
FROM node:24-slim AS built
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /packed

FROM node:24-slim
WORKDIR /app
COPY --from=built /packed/ /packed/
# The client of PostgreSQL is nobody's who does not name it; here it is at hand.
RUN npm install --no-audit --no-fund /packed/*.tgz pg@8.23.1 && npm cache clean --force && rm -rf /packed
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
